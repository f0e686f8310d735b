import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './history.ts';
import type { Installation, Watched } from './installation.ts';
import { installedPart } from './part.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { VideoServer } from './video-server.ts';

interface Options {
  readonly seconds: number;
  readonly every: number;
  readonly frozenSeconds: number;
}

interface Seen {
  readonly fault: string;
  /** Stored snapshots of that time in which nobody is present. */
  readonly falseZeros: number;
  /** Visits that are said to have begun in that time. */
  readonly inventedVisits: number;
  /** From its beginning until the device says so. */
  readonly toldSeconds: number;
  /** From its end until the device says that it is over. */
  readonly clearedSeconds: number;
}

export interface PicturesResult {
  readonly seen: readonly Seen[];
  readonly passed: boolean;
}

const FPS = 5;
const TOLD_WITHIN_SECONDS = 15;
const CLEARED_WITHIN_SECONDS = 20;
/** Until a fault holds, frames of before are still being analysed. */
const UNDER_WAY_MS = 1_500;

export const pictures = installedPart({
  name: 'pictures',
  description: 'Pictures that cannot be believed: damaged on the way, black, or always the same one.',
  options: {
    seconds: ['how long pictures are damaged, and black', 25],
    every: ['one byte in so many is changed', 2_000],
    frozenSeconds: ['longest wait for the warning of a picture that does not change', 240],
  },
  needs: { workers: 1 },
  run: runPictures,
});

/** A camera whose pictures are damaged, black and frozen in turn: nothing is counted that is not there, and it is told. */
async function runPictures(
  installation: Installation,
  { seconds, every, frozenSeconds }: Options,
): Promise<PicturesResult> {
  const server = await VideoServer.open();
  const proxy = await new TcpProxy(server.port).listen();
  try {
    const url = `http://127.0.0.1:${proxy.port}/stream`;
    const camera = await installation.addCamera('Camera', url, FPS);
    await installation.start(camera);
    const isPeopled = async () => (await present(installation, camera)) > 0;
    await installation.until('people are seen', isPeopled, 120);
    const seen: Seen[] = [];
    for (const fault of [
      {
        reason: 'damaged_video',
        begin: () => proxy.damage(every),
        end: () => proxy.damage(null),
      },
      {
        reason: 'blank_picture',
        begin: () => server.show('black'),
        end: () => server.show('shop'),
      },
    ]) {
      seen.push(await suffer(installation, camera, { ...fault, seconds }));
      await pause(15_000);
    }
    server.show('frozen');
    const frozenToldSeconds = await installation.until(
      'the frozen picture is told',
      () => hasFaultOrWarning(installation, camera, 'unchanging_picture'),
      frozenSeconds,
    );
    server.show('shop');
    const isOver = async () => !(await hasFaultOrWarning(installation, camera, 'unchanging_picture'));
    const clearedSeconds = await installation.until('the frozen picture is over', isOver, 60);
    seen.push({
      fault: 'unchanging_picture',
      falseZeros: 0,
      inventedVisits: 0,
      toldSeconds: frozenToldSeconds,
      clearedSeconds,
    });
    await installation.stop(camera);
    const isRight = ({ fault, falseZeros, inventedVisits, toldSeconds, clearedSeconds: cleared }: Seen) =>
      falseZeros === 0 &&
      inventedVisits === 0 &&
      (toldSeconds <= TOLD_WITHIN_SECONDS || fault === 'unchanging_picture') &&
      cleared <= CLEARED_WITHIN_SECONDS;
    return { seen, passed: seen.every(isRight) };
  } finally {
    await proxy.close();
    await server.close();
  }
}

async function suffer(
  installation: Installation,
  camera: Watched,
  fault: { reason: string; begin: () => void; end: () => void; seconds: number },
): Promise<Seen> {
  const { reason, seconds } = fault;
  installation.note(`${reason} begins`);
  const fromMs = Date.now();
  fault.begin();
  const isTold = () => hasFaultOrWarning(installation, camera, reason);
  const toldSeconds = await installation.until(`${reason} is told`, isTold, 60);
  await pause(Math.max(0, fromMs + seconds * 1000 - Date.now()));
  fault.end();
  const toMs = Date.now();
  installation.note(`${reason} ends`);
  const isOver = async () => (await conditionOf(installation, camera)).fault === null;
  const clearedSeconds = await installation.until(`${reason} is over`, isOver, 60);
  // The row that ends the time before is written with the first frame after it.
  await pause(3_000);
  const range = [camera.sceneId, fromMs + UNDER_WAY_MS, toMs];
  const [zeros] = await ask<{ count: number }>(
    installation.databaseUrl,
    `SELECT count(*)::int AS count FROM "MetricSnapshot"
     WHERE "sceneId" = $1 AND "windowEnd" BETWEEN to_timestamp($2::float8 / 1000) AND to_timestamp($3::float8 / 1000)
       AND ("currentMetrics"->>'totalPresent')::int = 0`,
    range,
  );
  const [visits] = await ask<{ count: number }>(
    installation.databaseUrl,
    `SELECT count(*)::int AS count FROM "Visit" WHERE "sceneId" = $1
       AND coalesce("queueEnteredAt", "serviceStartedAt")
           BETWEEN to_timestamp($2::float8 / 1000) AND to_timestamp($3::float8 / 1000)`,
    range,
  );
  return {
    fault: reason,
    falseZeros: zeros!.count,
    inventedVisits: visits!.count,
    toldSeconds: round(toldSeconds),
    clearedSeconds: round(clearedSeconds),
  };
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

interface Told {
  readonly fault: { readonly reason: string } | null;
  readonly warnings: readonly { readonly reason: string }[];
}

const conditionOf = ({ client }: Installation, { deviceId }: Watched): Promise<Told> =>
  client.get<Told>(`/devices/${deviceId}`);

async function hasFaultOrWarning(
  installation: Installation,
  camera: Watched,
  reason: string,
): Promise<boolean> {
  const { fault, warnings } = await conditionOf(installation, camera);
  return fault?.reason === reason || warnings.some((warning) => warning.reason === reason);
}

async function present({ client }: Installation, { sceneId }: Watched): Promise<number> {
  const { latestMetrics } = await client.get<{
    latestMetrics: { current: { totalPresent: number } } | null;
  }>(`/scenes/${sceneId}`);
  return latestMetrics?.current.totalPresent ?? 0;
}
