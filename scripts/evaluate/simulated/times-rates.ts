import type { FaultRates } from '../../../src/simulator/faults/fault-rates.ts';

const MOST = 0.97;

/** Rates that are so many times as high. */
export function timesRates(rates: FaultRates, times: number): FaultRates {
  // Nobody is missed always who was found sometimes.
  const share = (value: number) => Math.min(Math.max(value, MOST), value * times);
  const edges = ({ left, right, top, bottom }: FaultRates['duplicateAt']) => ({
    ...{ left: left * times, right: right * times, top: top * times, bottom: bottom * times },
  });
  return {
    ...rates,
    found: {
      ...rates.found,
      values: rates.found.values.map((byHeight) => ({
        ...byHeight,
        values: byHeight.values.map(({ missed, unsure }) => {
          const [one, two] = [share(missed), share(unsure)];
          return { missed: one, unsure: Math.min(two, 1 - one) };
        }),
      })),
    },
    edges: { ...rates.edges, values: rates.edges.values.map(edges) },
    partial: { ...rates.partial, values: rates.partial.values.map(share) },
    duplicate: share(rates.duplicate),
    sureDuplicate: share(rates.sureDuplicate),
    falseBoxes: rates.falseBoxes * times,
  };
}
