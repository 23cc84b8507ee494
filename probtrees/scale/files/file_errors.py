"""What is said about files that cannot be read: which, which rows, what to do."""

from __future__ import annotations

from probtrees.errors import DataError


def unreadable(path: str, problem: OSError) -> DataError:
    """Say that the system refuses to open or read a file."""
    reason = problem.strerror or type(problem).__name__
    return DataError(
        f"file={path!r} must be readable; the system says: {reason}. Check the path and your "
        "permissions; on a cluster every worker must see the file."
    )


def changed(path: str) -> DataError:
    """Say that a file is not what it was when it was first looked at."""
    return DataError(
        f"file={path!r} must stay as it is while it is learnt from; it was changed meanwhile. Run "
        "the command again once it is complete."
    )


def damaged_parquet(path: str, rows: str, problem: BaseException) -> DataError:
    """Say that a Parquet file cannot be read, and which rows are lost."""
    if isinstance(problem, FileNotFoundError | PermissionError):
        return unreadable(path, problem)
    reason = (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
    return DataError(
        f"file={path!r} ({rows}) must be a complete Parquet file; reading it failed: {reason}. "
        "Copy or write it again, or leave it out."
    )


def damaged_text(path: str, done: int, problem: BaseException) -> DataError:
    """Say that text ends too early, or cannot be read; ``done``: bytes read before."""
    if isinstance(problem, OSError) and problem.errno is not None:
        return unreadable(path, problem)
    after = f"the rows after byte {done:,}" if done else "all rows"
    return DataError(
        f"file={path!r} ({after}) must be complete; it ends too early or is damaged. Copy it "
        "again, or leave it out."
    )
