import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { processTree } from '../../../scripts/support/process-tree.ts';
import { processStartTime } from '../../../src/platform/processes/processes.ts';
import { nodeArguments } from '../../../src/platform/processes/program-file.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { stillPersonEnv } from '../../support/networks/still-person.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS } from '../../support/rows/runs.ts';

/** The worker program, started as an operator starts it. */
class Worker {
  output = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], env: Record<string, string>) {
    this.#child = spawn(process.execPath, [...nodeArguments('src/worker.ts'), ...args], {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.ended = new Promise((resolve) => this.#child.once('exit', (code) => resolve(code)));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

let database: TestDatabase;
let folder: string;
let model: Record<string, string>;
const workers: Worker[] = [];

beforeAll(async () => {
  database = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'worker-'));
  model = await stillPersonEnv(join(folder, 'cards'));
});
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.kill('SIGTERM');
    await worker.ended;
  }
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function startWorker(env: Record<string, string>, args: readonly string[] = []): Worker {
  const worker = new Worker(args, {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    ...model,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    LANES: '1',
    ...env,
  });
  workers.push(worker);
  return worker;
}

describe('the worker program', () => {
  test('explains every option in its help', async () => {
    const worker = startWorker({}, ['--help']);
    expect(await worker.ended).toBe(0);
    const help = worker.output.replace(/\s+/g, ' ');
    for (const option of [
      '--lanes',
      '--model',
      '--max-concurrent-devices',
      '--execution-provider',
      '--lease-seconds',
    ]) {
      expect(help).toContain(option);
    }
    expect(help).toContain('(env: LANES)');
    expect(help).not.toContain('--cors-origins');
  });

  test('names a wrong option and its fault', async () => {
    const worker = startWorker({}, ['--lanes', 'many']);
    expect(await worker.ended).toBe(1);
    expect(worker.output).toMatch(/LANES: /);
  });

  test('ends with one sentence when its model is missing', async () => {
    const worker = startWorker({ MODEL: 'no-such-model', LOG_LEVEL: 'silent' });
    expect(await worker.ended).toBe(1);
    expect(worker.output.trim().split('\n')).toHaveLength(1);
    expect(worker.output).toContain('no-such-model');
  });

  test('waits for a database that does not answer, logs that, and can be stopped meanwhile', async () => {
    const worker = startWorker({ DATABASE_URL: 'postgresql://nobody:x@127.0.0.1:9/none' });
    await eventually(
      'it logs twice that the database does not answer',
      () => worker.output.split('does not answer').length > 2,
    );
    expect(processStartTime(worker.pid)).not.toBeNull();
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('leaves no process when it is killed, and continues its runs at once when it starts again', async () => {
    const { db } = database;
    const { task } = await queueScene(db, await addDevice(db, 'sim:shop?seed=7', 2));
    const frames = async () => {
      const { stats } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
      return (stats as { processedFrames: number } | null)?.processedFrames ?? 0;
    };
    const first = startWorker({ LEASE_SECONDS: '600', LOG_LEVEL: 'warn' });
    await eventually('frames come', async () => (await frames()) > 2);
    const below = processTree(first.pid).filter(({ pid }) => pid !== first.pid);
    expect(below.some(({ name }) => name.startsWith('ffmpeg'))).toBe(true);
    first.kill('SIGKILL');
    await first.ended;
    await eventually('its child processes have ended', () =>
      below.every(({ pid }) => processStartTime(pid) === null),
    );

    const before = await frames();
    const { computeNodeId } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    startWorker({ LEASE_SECONDS: '600', LOG_LEVEL: 'warn' });
    // The lease is valid for ten minutes more, but the node knows that its former process has ended.
    await eventually('frames come again', async () => (await frames()) > before + 2);
    expect(await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } })).toMatchObject({
      status: 'PROCESSING',
      epoch: 3,
      computeNodeId,
    });
  });
});
