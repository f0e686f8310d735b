import { clearScreenDown, moveCursor } from 'node:readline';
import { table } from '../support/terminal.ts';

interface Completed {
  count: number;
  avgWaitSeconds: number | null;
  p90WaitSeconds?: number | null;
  avgServiceSeconds?: number | null;
}

/** The part of a scene's `latestMetrics` that the demo shows. Null where nothing was measured. */
export interface ShownMetrics {
  current: {
    inQueue: number | null;
    inService: number | null;
    avgWaitSeconds: number | null;
    maxWaitSeconds: number | null;
    estimatedWaitSeconds: number | null;
  };
  rolling5Min: {
    completed: Completed;
    abandoned: { count: number | null };
    arrivals: number;
    abandonmentRate: number | null;
    throughputPerHour: number | null;
    coveragePercent: number | null;
  };
  total: { completed: Completed; abandoned: { count: number | null }; arrivals: number; lostCount: number };
}

export interface ShownState {
  readonly metrics: ShownMetrics;
  readonly fps: number;
  readonly droppedFrames: number;
  readonly runSeconds: number;
  /** One line about the people captured; null before the first capture. */
  readonly people: string | null;
}

const seconds = (value: number | null | undefined): string => (value == null ? '–' : `${value.toFixed(1)} s`);
const shown = (count: number | null): string => (count === null ? '–' : String(count));
const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`);

function screen({ metrics: { current, rolling5Min: recent, total }, ...state }: ShownState): string {
  const bar = '●'.repeat(Math.min(current.inQueue ?? 0, 20)).padEnd(20, '·');
  return [
    `queue ${bar} ${shown(current.inQueue)} waiting, ${shown(current.inService)} being served`,
    '',
    table([
      ['', 'now', 'last 5 min', 'since start'],
      [
        'waiting, average',
        seconds(current.avgWaitSeconds),
        seconds(recent.completed.avgWaitSeconds),
        seconds(total.completed.avgWaitSeconds),
      ],
      [
        'waiting, longest / 90 %',
        seconds(current.maxWaitSeconds),
        seconds(recent.completed.p90WaitSeconds),
        seconds(total.completed.p90WaitSeconds),
      ],
      ['a new customer waits', seconds(current.estimatedWaitSeconds), '', ''],
      [
        'service, average',
        '',
        seconds(recent.completed.avgServiceSeconds),
        seconds(total.completed.avgServiceSeconds),
      ],
      ['arrived', '', recent.arrivals, total.arrivals],
      ['served', '', recent.completed.count, total.completed.count],
      ['gave up', '', shown(recent.abandoned.count), shown(total.abandoned.count)],
      ['share giving up', '', percent(recent.abandonmentRate), ''],
      ['lost', '', '', total.lostCount],
    ]),
    '',
    `${Math.round(state.runSeconds)} s · ${state.fps.toFixed(1)} frames/s · ${state.droppedFrames} dropped · frames received ${recent.coveragePercent?.toFixed(0) ?? '–'} % of the last 5 min`,
    ...(state.people ? [state.people] : []),
  ].join('\n');
}

function line({ metrics: { current, total }, ...state }: ShownState): string {
  return [
    `${String(Math.round(state.runSeconds)).padStart(5)} s`,
    `inQueue ${shown(current.inQueue)}`,
    `inService ${shown(current.inService)}`,
    `avgWait ${seconds(current.avgWaitSeconds)}`,
    `served ${total.completed.count}`,
    `gave up ${shown(total.abandoned.count)}`,
    `${state.fps.toFixed(1)} frames/s`,
    ...(state.people ? [state.people] : []),
  ].join(' | ');
}

export interface Screen {
  show(state: ShownState): void;
  /** Prints lines that stay above the live table. */
  note(text: string): void;
}

/** A live table in a terminal; otherwise a plain line every five seconds. */
export function openScreen(output: NodeJS.WriteStream): Screen {
  if (output.isTTY) {
    let drawn = 0;
    return {
      show(state) {
        const text = screen(state);
        moveCursor(output, 0, -drawn);
        clearScreenDown(output);
        output.write(`${text}\n`);
        drawn = text.split('\n').length;
      },
      note(text) {
        moveCursor(output, 0, -drawn);
        clearScreenDown(output);
        output.write(`${text}\n\n`);
        drawn = 0;
      },
    };
  }
  let nextLineAt = 0;
  return {
    show(state) {
      if (state.runSeconds < nextLineAt) return;
      nextLineAt = state.runSeconds + 5;
      output.write(`${line(state)}\n`);
    },
    note: (text) => void output.write(`${text}\n`),
  };
}
