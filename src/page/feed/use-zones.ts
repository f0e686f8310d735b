import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../client/client.ts';
import { api, type Resource } from '../api/client.ts';
import { useSession } from '../api/session.tsx';
import { browserZone } from '../kit/time.ts';

type Camera = Pick<Resource<'Device'>, 'id' | 'name' | 'timezone' | 'plan'>;

const PAGE_SIZE = 100;
const STALE_MS = 5 * 60_000;
const NONE: readonly Camera[] = [];

async function readCameras(): Promise<Camera[]> {
  const cameras: Camera[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await answerOf(
      api.GET('/devices', { params: { query: { page, limit: PAGE_SIZE } } }),
    );
    cameras.push(...data.map(({ id, name, timezone, plan }) => ({ id, name, timezone, plan })));
    if (page >= meta.pagination.totalPages) return cameras;
  }
}

/** Every camera of the account; empty while they are read, and for sessions that may not see them. */
export function useCameras(): readonly Camera[] {
  const session = useSession();
  const query = useQuery({
    queryKey: ['devices', 'names'],
    queryFn: readCameras,
    staleTime: STALE_MS,
    enabled: session.may('device:read'),
  });
  return query.data ?? NONE;
}

/** The zone by which days are cut: that of most cameras, else that of the account, else that of this browser. */
export function useHomeZone(): string {
  const { user } = useSession();
  const cameras = useCameras();
  const counts = new Map<string, number>();
  for (const { timezone } of cameras)
    if (timezone !== null) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? user.timezone ?? browserZone();
}

/** The zone of a device; the zone of the account for a device that is gone. */
export function useZoneOf(): (deviceId: string) => string {
  const home = useHomeZone();
  const zones = new Map(useCameras().map(({ id, timezone }) => [id, timezone]));
  return (deviceId) => zones.get(deviceId) ?? home;
}
