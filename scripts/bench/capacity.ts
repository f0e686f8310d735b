import { cpus } from 'node:os';
import type { Point, QueueZones } from '../../src/vision/types.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { rounded } from '../support/numbers.ts';
import { count, share } from '../support/options.ts';
import { withTemporaryFolder } from '../support/temporary-folder.ts';
import { table } from '../support/terminal.ts';
import { type Analysed, BusyNode, type Load } from './capacity/busy-node.ts';
import { findLimit } from './capacity/find-limit.ts';
import type { Parts } from './capacity/profile.ts';

const MAX_DROPPED_PERCENT = 1;
const MAX_P95_MS = 500;
/** Of the wanted rate. Frames that never came, because ffmpeg does not keep up, are not dropped ones. */
const LEAST_RATE = 0.97;

/** How many cameras a node takes, and what was measured on the way. */
interface Limit {
  readonly cameras: number;
  readonly camerasPerCore: number;
  readonly tries: readonly (Load & { readonly keepsUp: boolean })[];
}

export const capacity = measuringCommand({
  name: 'capacity',
  description:
    'How many cameras this machine takes: an installation of its own (API, worker, database) and live cameras that send ' +
    'whether or not somebody reads. More of them are started until frames are dropped (1 % of them, or 3 % that never ' +
    'come), or until the numbers of a camera come later than 500 ms after it has sent their frame (p95), first with zones ' +
    'in a part of the picture and then with zones that cover all of it, all of which is analysed.',
  options: {
    video: ['what the cameras show, a video file; by default a simulated shop', ''],
    standing: [
      'people of the simulated shop stand in a line that moves every 30 s; still frames are skipped',
      false,
    ],
    holdStill: ['what was found of people who stand holds for up to a second (HOLD_STILL_PEOPLE)', false],
    hd: ['cameras of 1920 × 1080, 4 Mbit/s; by default 640 × 360, 1 Mbit/s', false],
    secondStreams: ['each camera has a second stream of 640 × 360 that is analysed', false],
    recordings: ['recordings that are analysed beside the cameras', 0, count(0)],
    profile: [
      'say also what the parts of each program cost, with the most cameras that it keeps up with',
      false,
    ],
    zoneShare: ['part of the picture that the zones cover', 0.25, share],
    fps: ['frames a second of each camera to analyse', 5, count(1, 30)],
    from: ['cameras to begin with', 4],
    max: ['most cameras to try', 64],
    seconds: ['how long each number of cameras is measured', 10, count(5, 600)],
    lanes: ['lanes of each worker; 0: as many as it takes by itself', 0, count(0)],
    workers: ['workers that share this machine and its cameras', 1, count(1)],
  },
  measure: ({ zoneShare, ...options }) =>
    withTemporaryFolder('bench-capacity', async (folder) => {
      tell(
        'Preparing the video and starting API, worker and database. Each number of cameras then takes about half a minute.',
      );
      const node = await BusyNode.open(folder, options);
      try {
        const part = await limitOf(node, { zones: zonesOf(zoneShare), region: 'zones' }, options);
        const parts = options.profile
          ? await profileAt(node, part.cameras || options.from, zoneShare, options.seconds)
          : null;
        const whole = await limitOf(node, { zones: zonesOf(1), region: 'whole' }, options);
        return {
          cores: cpus().length,
          ...{ cameras: part.cameras, camerasPerCore: part.camerasPerCore },
          wholePicture: { cameras: whole.cameras, camerasPerCore: whole.camerasPerCore },
          ratio: whole.cameras === 0 ? null : rounded(part.cameras / whole.cameras, 2),
          zoneShare,
          fps: options.fps,
          tries: { part: part.tries, wholePicture: whole.tries },
          parts,
        };
      } finally {
        await node.close();
      }
    }),
  report({ cameras, camerasPerCore, wholePicture, ratio, zoneShare, tries, parts }) {
    const rows = (zones: string, measured: Limit['tries']) =>
      measured.map(({ keepsUp, ...load }) => [
        ...[
          zones,
          load.cameras,
          load.framesPerSecond,
          load.droppedPercent,
          load.p50Ms,
          load.allP95Ms,
          load.p95Ms,
        ],
        ...[
          load.arrivalMs,
          load.openingMs ?? '-',
          keepsUp ? 'yes' : 'no',
          sizes(load),
          cpu(load),
          memory(load),
        ],
      ]);
    return [
      table([
        [
          'zones',
          'cameras',
          'frames/s each',
          'dropped %',
          'p50 ms',
          'p95 ms',
          'worst p95 ms',
          'of it to arrival',
          'opening delays by ms',
          'keeps up',
          'networks',
          'CPU ms a frame',
          'memory, MB',
        ],
        ...rows(`${zoneShare * 100} %`, tries.part),
        ...rows('whole', tries.wholePicture),
      ]),
      '',
      `${cameras} cameras (${camerasPerCore} a core) with zones in ${zoneShare * 100} % of the picture`,
      `${wholePicture.cameras} cameras (${wholePicture.camerasPerCore} a core) with zones over all of it: ratio ${ratio ?? '-'}`,
      ...(parts === null ? [] : ['', 'ms of the main thread a frame:', ...profileLines(parts)]),
    ].join('\n');
  },
});

/** With as many cameras as it takes, or those that it began with. */
async function profileAt(node: BusyNode, cameras: number, zoneShare: number, seconds: number) {
  await node.measure(cameras, { zones: zonesOf(zoneShare), region: 'zones' }, seconds);
  return node.profile(seconds);
}

const MOST_PARTS = 12;
const profileLines = (programs: Readonly<Record<string, Parts>>): string[] =>
  Object.entries(programs).map(
    ([program, parts]) =>
      `${program}: ${parts
        .slice(0, MOST_PARTS)
        .map(([part, ms]) => `${part} ${ms}`)
        .join(', ')}`,
  );

async function limitOf(
  node: BusyNode,
  analysed: Analysed,
  { from, max, seconds, fps }: { from: number; max: number; seconds: number; fps: number },
): Promise<Limit> {
  const region = analysed.region === 'whole' ? 'whole picture' : 'zones';
  await node.use(analysed);
  const tries: (Load & { keepsUp: boolean })[] = [];
  const keepsUp = async (cameras: number) => {
    const load = await node.measure(cameras, analysed, seconds);
    const isEnough =
      load.droppedPercent < MAX_DROPPED_PERCENT &&
      load.framesPerSecond >= LEAST_RATE * fps &&
      load.p95Ms <= MAX_P95_MS;
    tries.push({ ...load, keepsUp: isEnough });
    const measured = `${load.framesPerSecond} frames/s each, ${load.droppedPercent} % dropped, p50 ${load.p50Ms}, p95 ${load.allP95Ms}, worst p95 ${load.p95Ms} ms (${load.arrivalMs} to its arrival), opening delays others by ${load.openingMs ?? '-'} ms, ${sizes(load)}, CPU ms a frame: ${cpu(load)}`;
    tell(`Cameras: ${cameras}, ${region}: ${measured}: ${isEnough ? 'keeps up' : 'too many'}`);
    return isEnough;
  };
  // One number of cameras is measured once, whether it is too many or not.
  const cameras = from < max ? await findLimit({ from, max, keepsUp }) : (await keepsUp(max)) ? max : 0;
  return { cameras, camerasPerCore: rounded(cameras / cpus().length, 2), tries };
}

const sizes = ({ networks }: Load): string =>
  Object.entries(networks)
    .map(([size, cameras]) => `${cameras} × ${size}`)
    .join(', ');

const cpu = ({ cpuMs }: Load): string =>
  Object.entries(cpuMs)
    .map(([share, ms]) => `${share} ${ms}`)
    .join(', ');

const memory = ({ memoryMb: { worker, ffmpeg, api, database } }: Load): string =>
  `worker ${worker} + ffmpeg ${ffmpeg}, API ${api}, database ${database}`;

/** Progress, on standard error. How many tries there are is not known before. */
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** A queue and a checkout side by side, which together cover this share of the picture, in its middle. */
function zonesOf(covered: number): QueueZones {
  const side = Math.sqrt(Math.max(covered, LEAST_SHARE));
  const [left, top] = [(1 - side) / 2, (1 - side) * LOWER];
  const middle = left + side * QUEUE_SHARE;
  const rectangle = (from: number, to: number): Point[] => [
    [from, top],
    [to, top],
    [to, top + side],
    [from, top + side],
  ];
  return {
    queueZone: { type: 'polygon', points: rectangle(left, middle) },
    checkoutZone: { type: 'polygon', points: rectangle(middle, left + side) },
  };
}

const LEAST_SHARE = 0.01;
/** People stand below the middle of a picture. */
const LOWER = 0.7;
/** Of both zones together. */
const QUEUE_SHARE = 0.6;
