// What the page knows of every scene: the overview, and over it what the event stream says since.
import type { Resource } from './client.ts';

type OverviewDevice = Resource<'OverviewDevice'>;
type OverviewScene = Resource<'OverviewScene'>;
export type CurrentMetrics = Resource<'CurrentMetrics'>;
type LiveTill = Resource<'LiveTill'>;
type Fault = OverviewDevice['fault'];

export interface LiveScene
  extends Pick<
    OverviewScene,
    | 'id'
    | 'name'
    | 'status'
    | 'analysisStatus'
    | 'run'
    | 'isFiring'
    | 'firingSeverity'
    | 'lastAlert'
    | 'spark'
    | 'effectiveTarget'
    | 'advice'
    | 'unusual'
  > {
  readonly device: Pick<
    OverviewDevice,
    'id' | 'name' | 'timezone' | 'onlineStatus' | 'lastError' | 'isDisabled' | 'siteIds' | 'warnings'
  >;
  readonly fault: Fault;
  /** Null before the first frame. */
  readonly current: CurrentMetrics | null;
  /** Its tills as they are now, in the order of the scene. */
  readonly tills: readonly LiveTill[];
  /** Time of the frame of these numbers. */
  readonly updatedAt: string | null;
}

/** In the order of the API: oldest device first, oldest scene first. */
export type LiveScenes = ReadonlyMap<string, LiveScene>;

/** What the event stream says about one scene. */
export interface MetricsEvent {
  readonly sceneId: string;
  readonly metrics: { readonly current?: CurrentMetrics; readonly tills?: readonly LiveTill[] };
  readonly updatedAt: string;
  readonly fault: Fault;
}

export function scenesOf(devices: readonly OverviewDevice[], before: LiveScenes): LiveScenes {
  return new Map(
    devices.flatMap(({ scenes, fault, ...device }) =>
      scenes.map((scene): [string, LiveScene] => {
        const read: LiveScene = { ...scene, device, fault, updatedAt: scene.metricsUpdatedAt };
        const known = before.get(scene.id);
        // The stream may have been quicker than this answer.
        const isOlder = known !== undefined && isBefore(read.updatedAt, known.updatedAt);
        if (!isOlder) return [scene.id, read];
        const { current, tills, updatedAt } = known;
        return [scene.id, { ...read, current, tills, updatedAt }];
      }),
    ),
  );
}

/** The newest numbers of some scenes. Scenes that the overview does not have yet are left out. */
export function withMetrics(scenes: LiveScenes, events: Iterable<MetricsEvent>): LiveScenes {
  const next = new Map(scenes);
  for (const { sceneId, metrics, updatedAt, fault } of events) {
    const scene = next.get(sceneId);
    if (!scene || isBefore(updatedAt, scene.updatedAt)) continue;
    const { current = null, tills = scene.tills } = metrics;
    next.set(sceneId, { ...scene, current, tills, updatedAt, fault });
  }
  return next;
}

const isBefore = (one: string | null, other: string | null): boolean =>
  other !== null && (one === null || Date.parse(one) < Date.parse(other));
