import { useQuery } from '@tanstack/react-query';
import { placeName } from '../../catalogue/words/place-name.ts';
import { answerOf, dataOf, type Resource } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import type { Span, Subject } from './view.ts';

type Device = Resource<'OverviewDevice'>;
type Site = Resource<'Site'>;

/** A scene or site that can be looked back on. */
export interface Choice extends Subject {
  readonly name: string;
  /** Null where nobody has set one. */
  readonly timezone: string | null;
  readonly deviceId: string | undefined;
  readonly hasTills: boolean;
  /** How long people may wait, and which share of them; null where nobody has said it. */
  readonly target?: Site['target'];
  /** Of the sites to which a scene belongs. */
  readonly siteIds?: readonly string[];
  /** The time that a recording shows; a view that names no time shows this. */
  readonly recorded?: Span;
}

const KEPT = 'history';
const keyOf = ({ kind, id }: Subject): string => `${kind}/${id}`;

/** Remembers what was looked at, so that History opens there. */
export const rememberSubject = (subject: Subject): void => localStorage.setItem(KEPT, keyOf(subject));

/** What was looked at last, else the first site that a camera belongs to. */
export function usualChoice(choices: readonly Choice[]): Choice | undefined {
  const kept = localStorage.getItem(KEPT);
  const inUse = new Set(choices.flatMap(({ siteIds = [] }) => siteIds));
  return (
    choices.find((choice) => keyOf(choice) === kept) ?? choices.find(({ id }) => inUse.has(id)) ?? choices[0]
  );
}

const PAGE = 100;
/** Cameras of a list; a user with more finds the others by the links of their scenes. */
const MOST_PAGES = 10;

async function everyPage<Item>(
  read: (page: number) => Promise<{ data: Item[]; meta: { pagination: { totalPages: number } } }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, meta } = await read(page);
    items.push(...data);
    if (page >= meta.pagination.totalPages) break;
  }
  return items;
}

const readSites = (): Promise<Site[]> =>
  everyPage((page) => answerOf(api.GET('/sites', { params: { query: { page, limit: PAGE } } })));
const readDevices = (): Promise<Device[]> =>
  everyPage((page) => answerOf(api.GET('/overview', { params: { query: { page, limit: PAGE } } })));

const siteChoice = ({ id, name, timezone, target }: Site): Choice => ({
  ...{ kind: 'site', id, name, timezone, deviceId: undefined, hasTills: false, target },
});

const sceneChoices = (device: Device): Choice[] =>
  device.scenes.map(({ id, name, tills, effectiveTarget }) => ({
    ...{
      kind: 'scene',
      id,
      name: placeName(device.name, name),
      timezone: device.timezone,
      deviceId: device.id,
    },
    siteIds: device.siteIds,
    hasTills: tills.length > 0,
    target: effectiveTarget,
  }));

/** Everything that can be looked back on: sites, then scenes by device. */
export function useChoices() {
  return useQuery<Choice[], Error>({
    queryKey: ['history', 'choices'],
    staleTime: 60_000,
    queryFn: async () => {
      const [sites, devices] = await Promise.all([readSites(), readDevices()]);
      return [...sites.map(siteChoice), ...devices.flatMap(sceneChoices)];
    },
  });
}

/** The scene of a recording: it belongs to no camera, and its time is that of the recording. */
async function recordedScene(sceneId: string): Promise<Choice> {
  const scene = await dataOf(api.GET('/scenes/{id}', { params: { path: { id: sceneId } } }));
  const { id, name, deviceId, recordingId } = scene;
  const hasTills = scene.config.zones.tills !== undefined;
  const hidden = { kind: 'scene', id, name, hasTills } as const;
  if (recordingId === null) return { ...hidden, timezone: null, deviceId };
  const recording = await dataOf(api.GET('/recordings/{id}', { params: { path: { id: recordingId } } }));
  const fromMs = Date.parse(recording.recordedAt);
  return {
    ...hidden,
    name: recording.name,
    timezone: recording.timezone,
    deviceId: undefined,
    recorded: { fromMs, toMs: fromMs + Math.max(1, Math.ceil(recording.durationSeconds)) * 1000 },
  };
}

/** A scene that is in no list, because it is that of a recording. */
export function useHiddenScene(sceneId: string | undefined) {
  return useQuery<Choice, Error>({
    queryKey: ['history', 'scene', sceneId],
    enabled: sceneId !== undefined,
    queryFn: () => recordedScene(sceneId!),
  });
}

/**
 * The time zone in which the days of a choice are cut: its own, that of the timetable of its camera, or that of the account.
 * Undefined while it is being read.
 */
export function useZone(choice: Choice | undefined): string | undefined {
  const { user } = useSession();
  const deviceId = choice?.timezone === null ? choice.deviceId : undefined;
  const device = useCall(
    ['device', deviceId],
    deviceId !== undefined && (() => api.GET('/devices/{id}', { params: { path: { id: deviceId } } })),
  );
  if (!choice) return undefined;
  if (choice.timezone !== null) return choice.timezone;
  if (deviceId !== undefined && device.isPending) return undefined;
  return device.data?.timezone ?? device.data?.schedule?.timezone ?? user.timezone ?? 'UTC';
}
