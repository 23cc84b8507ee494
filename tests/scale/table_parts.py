"""A table spread over files."""

import numpy as np

from tests.small_tables import frame_of


def write_parts(data, folder, ending, n_parts=3):
    """Spread a table over files, spelled out."""
    frame = frame_of(data)
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
