import { expect, test } from '@jest/globals';
import { LanePool } from '../../src/lanes/lane-pool.ts';
import type { LaneOptions, ToLane } from '../../src/lanes/lane-protocol.ts';
import type { StartProcess } from '../../src/lanes/lane-slot.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { eventually } from '../support/eventually.ts';
import { laneCamera, laneOptions } from '../support/lane.ts';

interface FakeLane {
  readonly executionProvider: LaneOptions['executionProvider'];
  readonly cameras: Set<string>;
  end(): void;
}

/** Two lanes on a card, on a machine that has five lanes without one. @param canOpen whether the network runs on the card */
async function poolOnCard(canOpen: boolean) {
  const running = new Set<FakeLane>();
  let pid = 0;
  const startProcess: StartProcess = ({ onMessage, onEnd }) => {
    const cameras = new Set<string>();
    pid += 1;
    const end = () => {
      for (const lane of running) if (lane.cameras === cameras) running.delete(lane);
      onEnd('SIGKILL');
    };
    const open = ({ executionProvider: wanted, model }: LaneOptions) => {
      const executionProvider = canOpen ? wanted : 'cpu';
      running.add({ executionProvider, cameras, end });
      onMessage({ type: 'ready', model, executionProvider, fallback: null, msPerFrame: 1 });
    };
    const send = (message: ToLane) => {
      // A lane answers later, as one behind a channel does.
      if (message.type === 'open') setImmediate(() => open(message));
      else if (message.type === 'addCamera') cameras.add(message.camera.deviceId);
    };
    const unused = { silentMs: () => 0, allowSilence: () => undefined, stop: () => Promise.resolve() };
    return { ...unused, pid, running: true, send, kill: end };
  };
  const pool = new LanePool({
    ...{ lanes: 2, cpuLanes: 5, silenceMs: 60_000, startProcess, onChild: () => undefined },
    lane: { ...laneOptions(loadConfig({})), executionProvider: 'webgpu' },
    log: createLogger({ level: 'silent', program: 'test' }),
  });
  const nothing = () => undefined;
  pool.connect({
    ...{ onObservations: nothing, onPeople: nothing, onRecorded: nothing, onCheckpoint: nothing },
    ...{ onStats: nothing, onStream: nothing, onLivePicture: nothing, onCrashLimit: nothing },
    ...{ onRunEnded: nothing, requestedCamera: (deviceId) => laneCamera(deviceId, 'sim:shop') },
  });
  await pool.start();
  const lanesOn = (provider: string) =>
    [...running].filter(({ executionProvider }) => executionProvider === provider);
  const camerasOn = (provider: string) => lanesOn(provider).map(({ cameras }) => cameras.size);
  const allReady = () => eventually('all lanes are ready', () => pool.notReady === null);
  return { pool, lanesOn, camerasOn, allReady };
}

test('when the card fails, as many lanes as without a card share its cameras, of each lane that leaves it', async () => {
  const { pool, lanesOn, camerasOn, allReady } = await poolOnCard(true);
  await allReady();
  for (let number = 1; number <= 20; number++) pool.put(`camera ${number}`);
  expect(camerasOn('webgpu')).toEqual([10, 10]);

  const endFirst = async () => {
    lanesOn('webgpu').at(0)?.end();
    await allReady();
  };
  await endFirst();
  expect(camerasOn('webgpu')).toEqual([10, 10]);
  // The lane that has ended before is replaced last.
  lanesOn('webgpu').at(-1)?.end();
  await allReady();
  expect(camerasOn('webgpu')).toEqual([10]);
  expect(camerasOn('cpu').toSorted()).toEqual([2, 2, 3, 3]);

  await endFirst();
  expect(camerasOn('webgpu')).toEqual([]);
  expect(camerasOn('cpu')).toEqual([4, 4, 4, 4, 4]);
  const all = new Set(lanesOn('cpu').flatMap(({ cameras }) => [...cameras]));
  expect(all.size).toBe(pool.cameras);
  await pool.stop();
});

test('a failure that ends each lane once leaves all of them on the card', async () => {
  const { pool, lanesOn, camerasOn, allReady } = await poolOnCard(true);
  await allReady();
  for (let number = 1; number <= 20; number++) pool.put(`camera ${number}`);
  for (const lane of lanesOn('webgpu')) lane.end();
  await allReady();
  expect(camerasOn('webgpu')).toEqual([10, 10]);
  expect(camerasOn('cpu')).toEqual([]);
  expect(pool.provider).toEqual({ executionProvider: 'webgpu', reason: null });
  await pool.stop();
});

test('a node whose network does not run on the card starts as many lanes as one without a card', async () => {
  const { pool, camerasOn, allReady } = await poolOnCard(false);
  await allReady();
  expect(camerasOn('cpu')).toEqual([0, 0, 0, 0, 0]);
  await pool.stop();
});
