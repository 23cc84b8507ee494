"""A table spread over files."""

import numpy as np

from tests.small_tables import frame_of


def write_parts(data, folder, ending, n_parts=3):
    """Spread a table over files, spelled out."""
    frame = frame_of(data)
    folder.mkdir(parents=True)
    whole = folder.parent / f"whole{ending}"
    paths = [folder / f"part{number}{ending}" for number in range(n_parts)]
    parts = [frame.iloc[rows] for rows in np.array_split(np.arange(len(frame)), n_parts)]
    for path, part in zip([whole, *paths], [frame, *parts], strict=True):
        if ending == ".parquet":
            part.to_parquet(path, index=False, row_group_size=11)
        else:
            part.to_csv(path, index=False)
    return folder, whole
