import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import type { Metric } from './metric-path.ts';

const NONE: readonly Metric[] = [];

/** Every metric that a rule can watch; empty while it is being read. */
export function useCatalogue() {
  const grouped = useCall(
    ['metrics', 'grouped'],
    () => api.GET('/alerts/metrics/queue_analysis/grouped', {}),
    {
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const { data } = grouped;
  return { ...grouped, catalogue: data ? [...data.current, ...data.rolling, ...data.total] : NONE };
}
