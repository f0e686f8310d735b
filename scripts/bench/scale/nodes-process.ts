import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../../src/platform/config.ts';
import { createContext } from '../../../src/platform/context.ts';
import { createDb, type Db } from '../../../src/platform/database/db.ts';
import { until } from '../../support/until.ts';
import type { FromNodes, NodesJob, ToNodes } from './node-processes.ts';
import { FPS, recordTape } from './tape.ts';
import { type Timings, VirtualNode } from './virtual-node.ts';

/** A tape that no camera reaches the end of: its start, the warm-up and the measurement. */
const TAPE_MINUTES = 8;
/** Cameras begin at different moments of the shop. */
const LATEST_START_FRAMES = 3 * 60 * FPS;
/** Nodes that share pools of connections, as they do behind pgbouncer. */
const NODES_PER_POOL = 20;
const POOL = 10;
const LIFELINES = 2;
const START_SECONDS = 180;
const STOP_MS = 10_000;

// Virtual nodes in a process of their own, which `bench -- scale` starts and asks.
const job = JSON.parse(process.argv[2]!) as NodesJob;
const config = loadConfig({ DATABASE_URL: job.url, DATA_DIR: job.folder, LOG_LEVEL: 'silent' });
const context = createContext(config, 'bench');
const timings: Timings = { writes: [], beats: [], beatsTook: [] };
const say = (message: FromNodes) => process.send!(message);
let cpu = process.cpuUsage();

const tape = recordTape(TAPE_MINUTES);
const nodes = virtualNodes();
process.on('disconnect', () => process.exit());
process.on('message', (order: ToNodes) => {
  if (order === 'begin') {
    for (const times of [timings.writes, timings.beats, timings.beatsTook]) times.length = 0;
    cpu = process.cpuUsage();
  } else if (order === 'end') {
    const { user, system } = process.cpuUsage(cpu);
    say({ timings, cpuSeconds: (user + system) / 1e6 });
  } else void stop();
});
// One after the other, so that their seconds do not fall together.
for (const node of nodes) await node.start();
const haveAll = () => nodes.every((node) => node.cameras === job.cameras);
await until('every node has its cameras', haveAll, START_SECONDS, 100);
say('ready');

async function stop(): Promise<void> {
  // A database that is too slow must not hold up the end.
  await Promise.race([Promise.all(nodes.map((node) => node.stop().catch(() => undefined))), pause(STOP_MS)]);
  process.exit();
}

function virtualNodes(): VirtualNode[] {
  const { count, first, all, cameras, url } = job;
  let pools: { db: Db; lifeline: Db } | null = null;
  return Array.from({ length: count }, (_, at) => {
    if (at % NODES_PER_POOL === 0) {
      const open = (maxConnections: number) => createDb(url, { maxConnections });
      pools = { db: open(POOL), lifeline: open(LIFELINES) };
    }
    const { db, lifeline } = pools!;
    const name = `node-${first + at}`;
    const firstFrame = Math.floor(((first + at) * LATEST_START_FRAMES) / all);
    return new VirtualNode({ ...context, db }, { name, cameras, lifeline, tape, firstFrame, timings });
  });
}
