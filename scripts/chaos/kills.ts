import { isRunning, processStartTime, type StartedProcess } from '../../src/platform/processes/processes.ts';
import { processTree } from '../support/process-tree.ts';
import { progress } from '../support/terminal.ts';
import { checkHistory, watchedSeconds } from './history/check-history.ts';
import { installedPart } from './part.ts';
import { busiestWorker, Hits, meterError, untilRestarted, untilResumed } from './runs.ts';
import { verdict } from './verdict.ts';

export const kills = installedPart({
  name: 'kills',
  description: 'Kills one of two workers with SIGKILL, again and again: the other one continues every run.',
  options: {
    rounds: ['number of kills', 50],
    scenes: ['simulated cameras, a scene each', 4],
    fps: ['frames a second of each', 2],
    withinSeconds: ['every run must continue within this time', 20],
  },
  needs: { workers: 2 },
  /** Kills the busiest of two workers again and again while scenes are analysed. */
  async run(installation, options) {
    const { rounds, scenes, fps, withinSeconds } = options;
    const { cameras, taskIds } = await installation.startShops('Kill', { scenes, fps });
    await installation.untilFrames(taskIds, Date.now(), 90);

    const resumedSeconds: number[] = [];
    const hits = new Hits();
    const killed: StartedProcess[] = [];
    const bar = progress('kills', rounds, 'rounds');
    for (let round = 0; round < rounds; round++) {
      const { nodeId, number, pid, runs } = await busiestWorker(installation);
      killed.push(...processTree(pid).flatMap(started));
      hits.add(runs.map(({ id }) => id));
      installation.note(`kill -9 of node-${number}, which had ${runs.length} runs`);
      const sinceMs = Date.now();
      process.kill(pid, 'SIGKILL');
      resumedSeconds.push(await untilResumed(installation, runs, { sinceMs, seconds: 3 * withinSeconds }));
      installation.note(`round ${round + 1}: resumed after ${resumedSeconds.at(-1)} s`);
      installation.startWorker(number);
      await untilRestarted(installation, nodeId, sinceMs);
      bar.step();
    }
    bar.stop();
    for (const camera of cameras) await installation.stop(camera);
    const { changes, faults } = await checkHistory(installation);
    const watched = watchedSeconds(changes);
    const meterErrorSecondsPerKill = await meterError(installation, { watched, taskIds, hits });
    const processesLeft = killed.filter(isRunning).length;
    const slowestSeconds = Math.max(...resumedSeconds);
    return {
      rounds,
      scenes,
      /** Of each round: seconds from the kill until the last of the worker's runs had frames on the other worker. */
      resumedSeconds,
      slowestSeconds,
      /** Of the run with the largest error: metered seconds less seconds with frames, per kill of its worker. */
      meterErrorSecondsPerKill,
      faults,
      processesLeft,
      ...verdict({
        slowestSeconds: { is: slowestSeconds, atMost: withinSeconds },
        faults: { is: faults.length, exactly: 0 },
        meterErrorSecondsPerKill: { is: Math.abs(meterErrorSecondsPerKill), atMost: 10 },
        processesLeft: { is: processesLeft, exactly: 0 },
      }),
    };
  },
});

function started({ pid }: { pid: number }): StartedProcess[] {
  const startTime = processStartTime(pid);
  return startTime === null ? [] : [{ pid, startTime }];
}
