import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NodeSeat } from '../../src/platform/node-seat.ts';
import { isRunning, killGroup, processStartTime } from '../../src/platform/processes.ts';
import { eventually } from '../support/eventually.ts';

let folder: string;
const groups: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seat-'));
});
afterEach(() => {
  for (const pid of groups.splice(0)) killGroup(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A process group of two that would go on for a minute. @returns its leader */
async function startGroup(): Promise<number> {
  const child = spawn('sh', ['-c', 'sleep 60 & sleep 60'], { detached: true, stdio: 'ignore' });
  await new Promise((resolve) => child.once('spawn', resolve));
  groups.push(child.pid!);
  return child.pid!;
}

/** As if the worker that sits there had been killed and its id given to another process. */
function crash(name: string): void {
  const file = join(folder, `${name}.json`);
  const seat = JSON.parse(readFileSync(file, 'utf8')) as { owner: { startTime: string } };
  seat.owner.startTime = 'long ago';
  writeFileSync(file, JSON.stringify(seat));
}

describe('a node’s seat', () => {
  test('is another one for each worker that runs here', () => {
    const first = new NodeSeat(folder, 'shop');
    const second = new NodeSeat(folder, 'shop');
    expect([first.name, second.name]).toEqual(['shop', 'shop-2']);
    expect(first.nodeId).not.toBe(second.nodeId);
  });

  test('is kept over a crash, and what was left over is ended', async () => {
    const before = new NodeSeat(folder, 'shop');
    const [left, ended] = [await startGroup(), await startGroup()];
    const process = { pid: left, startTime: processStartTime(left)! };
    before.addChild(left);
    before.addChild(ended);
    before.removeChild(ended);
    crash('shop');
    const after = new NodeSeat(folder, 'shop');
    expect(after).toMatchObject({ name: 'shop', nodeId: before.nodeId, endedLeftOvers: [process] });
    await eventually('the left-over group is gone', () => !isRunning(process));
    expect(processStartTime(ended)).not.toBeNull();
  });

  test('does not end a process that only has an old id', async () => {
    const before = new NodeSeat(folder, 'shop');
    const pid = await startGroup();
    before.addChild(pid);
    const file = join(folder, 'shop.json');
    const seat = JSON.parse(readFileSync(file, 'utf8')) as { children: { startTime: string }[] };
    seat.children[0]!.startTime = '1';
    writeFileSync(file, JSON.stringify(seat));
    crash('shop');
    expect(new NodeSeat(folder, 'shop').endedLeftOvers).toEqual([]);
    expect(processStartTime(pid)).not.toBeNull();
  });

  test('cut short by a crash it is begun anew', () => {
    const before = new NodeSeat(folder, 'shop');
    writeFileSync(join(folder, 'shop.json'), '{"nodeId":');
    const after = new NodeSeat(folder, 'shop');
    expect(after.name).toBe('shop');
    expect(after.nodeId).not.toBe(before.nodeId);
  });
});
