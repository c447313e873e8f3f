"""OpenSkill ratings over all races of an arena: how good a driver is, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from openskill.models import PlackettLuce

from avecaesar.lab.arena.results import PLACE, Results

SIGMAS = 3  # below mu: almost certainly no worse than that


@dataclass(frozen=True, slots=True)
class Rating:
    """Where a driver stands."""

    driver: str
    mu: float
    sigma: float
    races: int  # that he took part in

    @property
    def ordinal(self) -> float:
        """A careful estimate."""
        return self.mu - SIGMAS * self.sigma


def rate(results: Results) -> tuple[Rating, ...]:
    """Everybody's rating, the best first.

    Race by race in the order of their numbers, in each the pairings in theirs. Who takes no place shares the last one.
    Copies of a driver enter with one rating and leave with the mean of theirs: what they do to each other cancels out.
    Drivers do not learn, so nothing is added to sigma between races.
    """
    arena, pairings = results.arena, results.arena.pairings
    model = PlackettLuce(tau=0.0)
    standing = dict.fromkeys(arena.names, (model.mu, model.sigma))
    chariots = results.races.shape[2]
    places = results.races[:, :, :, PLACE].astype(int)
    places[places == 0] = chariots + 1
    ranks, owners = places.tolist(), results.owners.tolist()
    for number in range(arena.races):
        for pairing, (driver, against) in enumerate(pairings):
            heat = owners[number % arena.players]
            driven = [place for place in range(chariots) if heat[place] >= 0]
            names = [driver if heat[place] == 0 else against for place in driven]
            before = [[model.create_rating(list(standing[name]))] for name in names]
            after = model.rate(before, ranks=[float(ranks[pairing][number][place]) for place in driven])
            for name in (driver, against):
                copies = [rated for whose, (rated,) in zip(names, after, strict=True) if whose == name]
                standing[name] = fmean(copy.mu for copy in copies), fmean(copy.sigma for copy in copies)
    rated = [
        Rating(name, *standing[name], arena.races * sum(name in pairing for pairing in pairings))
        for name in arena.names
    ]
    return tuple(sorted(rated, key=lambda rating: -rating.ordinal))
