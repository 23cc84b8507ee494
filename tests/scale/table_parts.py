"""A table spread over files."""

import numpy as np
import pandas as pd


def write_parts(data, folder, ending, n_parts=3):
    """Spread a table over files, spelled out."""
    frame = pd.DataFrame(data.values, columns=data.schema.names)
    for number, column in enumerate(data.schema.columns):
        if column.categories is not None:
            codes = data.values[:, number]
            frame[column.name] = [
                None if np.isnan(code) else column.categories[int(code)] for code in codes
            ]
    folder.mkdir(parents=True)
    for number, rows in enumerate(np.array_split(np.arange(len(frame)), n_parts)):
        path = folder / f"part{number}{ending}"
        part = frame.iloc[rows]
        if ending == ".parquet":
            part.to_parquet(path, index=False, row_group_size=11)
        else:
            part.to_csv(path, index=False)
    whole = folder.parent / f"whole{ending}"
    if ending == ".parquet":
        frame.to_parquet(whole, index=False)
    else:
        frame.to_csv(whole, index=False)
    return folder, whole
