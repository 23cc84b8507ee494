"""What a pass adds up; that of the whole is merged from those of the parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


class Statistic(ABC):
    """What a pass adds up."""

    @abstractmethod
    def fresh(self) -> Self:
        """Begin again with no rows."""

    @abstractmethod
    def update(self, chunk: Any, /) -> None:
        """Add the rows of a chunk."""

    @abstractmethod
    def merge(self, other: Self) -> None:
        """Add what was added up elsewhere."""

    def sealed(self) -> Self:
        """Return what travels back from a task on another machine."""
        return self


class KeptStatistic(Statistic):
    """A statistic whose result can be kept in a file."""

    kept_arrays: ClassVar[tuple[str, ...]] = ()
    """The attributes that are the result."""

    def arrays(self) -> Arrays:
        """Return the result, to be kept in a file."""
        return {name: getattr(self, name) for name in self.kept_arrays}

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        for name in self.kept_arrays:
            setattr(self, name, kept[name])


SomeStatistic = TypeVar("SomeStatistic", bound=Statistic)
SomeKept = TypeVar("SomeKept", bound=KeptStatistic)
