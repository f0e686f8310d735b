import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../client/client.ts';
import { api, type Resource } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { browserZone } from '../kit/time.ts';

type Camera = Pick<Resource<'Device'>, 'id' | 'name' | 'timezone' | 'plan'>;
type Site = Pick<Resource<'Site'>, 'id' | 'name' | 'timezone' | 'deviceIds'>;

const PAGE_SIZE = 100;
const STALE_MS = 5 * 60_000;
const NONE: readonly never[] = [];

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

function useSites(): readonly Site[] {
  const session = useSession();
  const sites = useCall(
    ['sites', 'first'],
    () => api.GET('/sites', { params: { query: { limit: PAGE_SIZE } } }),
    { staleTime: STALE_MS, enabled: session.may('device:read') },
  );
  return sites.data ?? NONE;
}

/** What is known of the places of alerts: the site of a device, and the zone of its clock. */
export function usePlaces() {
  const home = useHomeZone();
  const cameras = new Map(useCameras().map(({ id, timezone }) => [id, timezone]));
  const sites = new Map(useSites().flatMap((site) => site.deviceIds.map((id) => [id, site] as const)));
  const siteOf = (deviceId: string) => sites.get(deviceId);
  return {
    siteOf,
    zoneOf: (deviceId: string): string => cameras.get(deviceId) ?? siteOf(deviceId)?.timezone ?? home,
  };
}

/** The zone for what belongs to no device: that of the account, else that of its only site, else that of this browser. */
export function useHomeZone(): string {
  const { user } = useSession();
  const zones = new Set(useSites().map(({ timezone }) => timezone));
  const [only] = zones;
  return user.timezone ?? (only !== undefined && zones.size === 1 ? only : browserZone());
}
