import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { WINDOWS } from '../catalogue/metrics/all.ts';
import { placeName } from '../catalogue/words/place-name.ts';
import { invalidField, orNotFound } from '../http/errors.ts';
import { numberAt } from '../metrics/catalogue.ts';
import { numbersOfSnapshot, numbersOfWindow } from '../metrics/stored-numbers.ts';
import type { Db } from '../platform/database/db.ts';
import { evaluateRule, FRESH_STATE } from './evaluate-rule.ts';
import { alertMessage } from './message.ts';
import {
  findScenesToWatch,
  hasSite,
  readSnapshots,
  readWindows,
  type StoredSnapshot,
  type StoredWindow,
} from './preview.store.ts';
import { PreviewCurves } from './preview-curves.ts';
import type { PreviewRule, rulePreview } from './schema.ts';

/** Rolling records are written each minute; an older one is not valid any more. */
const WINDOW_VALID_MS = 70_000;
const MAX_FIRINGS = 1_000;
/** Other requests are served after so many snapshots. */
const BREATH = 1_000;

/** Scenes × days of one preview. */
const MOST_DAYS = 70;
const DAY_MS = 86_400_000;

type Answer = z.input<typeof rulePreview>;

/**
 * Finds the times at which a rule would have fired, from stored snapshots (every 10 s) and rolling records (every
 * minute). A live rule is evaluated every second and may fire a few seconds earlier.
 * @throws ApiError NOT_FOUND when the scene or site is not the caller's, INVALID_DATE_RANGE for too many scenes
 */
export async function previewRule(db: Db, userId: string, body: PreviewRule): Promise<Answer> {
  const scenes = await findScenesToWatch(db, userId, body);
  if (body.siteId === undefined) orNotFound(scenes[0] ?? null, 'Scene', 'sceneId');
  else if (scenes.length === 0) orNotFound(await hasSite(db, userId, body.siteId), 'Site', 'siteId');
  requireShort(body, scenes.length);
  const paths = [...new Set(body.conditions.map(({ metricPath }) => metricPath))];
  const curves =
    body.curvePoints === undefined ? undefined : new PreviewCurves(body, paths, body.curvePoints);
  const measured = new Set<string>();
  const add = (path: string, at: Date, value: number): void => {
    measured.add(path);
    curves?.add(path, at, value);
  };
  let [snapshotCount, firingCount] = [0, 0];
  const firings: Answer['firings'] = [];
  for (const scene of scenes) {
    const replayed = await replay(db, { scene, body, paths }, add);
    snapshotCount += replayed.snapshotCount;
    firingCount += replayed.firingCount;
    firings.push(...replayed.firings);
  }
  firings.sort((a, b) => a.triggeredAt.localeCompare(b.triggeredAt));
  return {
    sceneId: body.sceneId ?? null,
    siteId: body.siteId ?? null,
    startDate: body.startDate.toISOString(),
    endDate: body.endDate.toISOString(),
    snapshotCount,
    firingCount,
    firings: firings.slice(0, MAX_FIRINGS),
    unmeasuredPaths: paths.filter((path) => !measured.has(path)),
    ...(curves && { curves: curves.all() }),
  };
}

function requireShort({ startDate, endDate }: PreviewRule, scenes: number): void {
  if (scenes * (endDate.getTime() - startDate.getTime()) <= MOST_DAYS * DAY_MS) return;
  const most = Math.floor((MOST_DAYS * 24) / scenes);
  throw invalidField(
    'endDate',
    `must lie within ${most} hours of startDate for ${scenes} scenes`,
    'INVALID_DATE_RANGE',
  );
}

interface Replay {
  readonly scene: { readonly id: string; readonly name: string; readonly device: { readonly name: string } };
  readonly body: PreviewRule;
  readonly paths: readonly string[];
}

/** Replays the rule for one scene. @param add is told every value */
async function replay(
  db: Db,
  { scene, body, paths }: Replay,
  add: (path: string, at: Date, value: number) => void,
): Promise<Pick<Answer, 'snapshotCount' | 'firingCount' | 'firings'>> {
  const place = placeName(scene.device.name, scene.name);
  const windows = await WindowsInTime.load(db, { ...body, sceneId: scene.id }, paths);
  const terms = { ...body, schedule: body.schedule ?? null };
  const firings: Answer['firings'] = [];
  let state = FRESH_STATE;
  let [snapshotCount, firingCount] = [0, 0];
  for await (const snapshot of readSnapshots(db, scene.id, body)) {
    snapshotCount += 1;
    if (snapshotCount % BREATH === 0) await nextTurn();
    const values = valuesAt(snapshot, windows, paths);
    for (const [path, value] of values) if (value !== null) add(path, snapshot.windowEnd, value);
    const tick = {
      atMs: snapshot.windowEnd.getTime(),
      watchedSinceMs: snapshot.windowStart.getTime(),
      measure: (path: string) => values.get(path) ?? null,
    };
    const { state: next, fired } = evaluateRule(terms, state, tick);
    state = next;
    if (!fired) continue;
    firingCount += 1;
    const triggeredAt = snapshot.windowEnd.toISOString();
    if (firings.length < MAX_FIRINGS)
      firings.push({ sceneId: scene.id, triggeredAt, ...fired, message: alertMessage(fired, place) });
  }
  return { snapshotCount, firingCount, firings };
}

function valuesAt(
  snapshot: StoredSnapshot,
  windows: WindowsInTime,
  paths: readonly string[],
): Map<string, number | null> {
  windows.moveTo(snapshot.windowEnd);
  const current = numbersOfSnapshot(snapshot);
  return new Map(
    paths.map((path) => {
      const group = groupOf(path);
      const metrics = group === 'current' ? current : windows.metricsOf(group);
      return [path, numberAt(metrics, path.slice(group.length + 1))];
    }),
  );
}

const groupOf = (path: string): string => path.replace(/\..*/, '');
const windowTypeOf = (group: string): string =>
  WINDOWS.find(({ name }) => name === group)?.windowType ?? group;

/** The rolling records that are valid at a moment, which only moves forward. */
class WindowsInTime {
  readonly #records: readonly StoredWindow[];
  readonly #newest = new Map<string, StoredWindow>();
  #next = 0;
  #at = new Date(0);

  private constructor(records: readonly StoredWindow[]) {
    this.#records = records;
  }

  static async load(
    db: Db,
    body: PreviewRule & { readonly sceneId: string },
    paths: readonly string[],
  ): Promise<WindowsInTime> {
    const groups = new Set(paths.map(groupOf).filter((group) => group !== 'current'));
    if (groups.size === 0) return new WindowsInTime([]);
    const query = { sceneId: body.sceneId, windowTypes: [...groups].map(windowTypeOf) };
    const startDate = new Date(body.startDate.getTime() - WINDOW_VALID_MS);
    return new WindowsInTime(await readWindows(db, query, { startDate, endDate: body.endDate }));
  }

  moveTo(at: Date): void {
    this.#at = at;
    for (
      let record = this.#records[this.#next];
      record && record.windowEnd <= at;
      record = this.#records[this.#next]
    ) {
      this.#newest.set(record.windowType, record);
      this.#next += 1;
    }
  }

  metricsOf(group: string): unknown {
    const record = this.#newest.get(windowTypeOf(group));
    if (!record || this.#at.getTime() - record.windowEnd.getTime() > WINDOW_VALID_MS) return null;
    return numbersOfWindow(record);
  }
}
