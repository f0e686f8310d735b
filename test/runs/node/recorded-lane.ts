import type { RunObservation } from '../../../src/lanes/lane-protocol.ts';
import type { Visit } from '../../../src/vision/types.ts';
import type { QueuedRecording } from '../../support/rows/recorded.ts';
import type { TestNode } from '../../support/test-node.ts';

/** When the recordings of these tests begin. */
export const RECORDED_AT = Date.parse('2024-03-01T09:00:00Z');

/** What a lane sends of a recording: five frames a second; a visit begins in each tenth second and ends five seconds later. */
export class RecordedLane {
  readonly #node: TestNode;
  readonly #deviceId: string;
  readonly #runId: string;
  readonly #sceneId: string;
  #batch = 0;
  #open: Visit[] = [];
  positionMs: number;
  /** A person stands in each frame. */
  hasPerson = false;

  constructor(node: TestNode, { device, scene }: QueuedRecording) {
    const { recording, scenes } = node.lanes.cameras.get(device.id)!;
    this.#node = node;
    this.#deviceId = device.id;
    this.#sceneId = scene.id;
    this.#runId = scenes[0]!.runId;
    this.positionMs = recording!.afterMs ?? -200;
    this.#open = scenes[0]!.checkpoint === null ? [] : JSON.parse(scenes[0]!.checkpoint).open;
  }

  /** One batch. */
  send(seconds: number): void {
    const observations = Array.from({ length: seconds * 5 }, () => this.#frame());
    const { positionMs } = this;
    const checkpoint = JSON.stringify({ open: this.#open });
    const message = { runId: this.#runId, batch: ++this.#batch, positionMs, observations, checkpoint };
    this.#node.events.onRecorded({ type: 'recorded', ...message });
  }

  end(endOfStream: boolean): void {
    const timeMs = RECORDED_AT + this.positionMs;
    const changes = this.#open.map((visit) => ({ ...visit, ...lostAt(timeMs) }));
    const last = this.#observation(timeMs, changes);
    this.#node.events.onRunEnded({ type: 'runEnded', runId: this.#runId, endOfStream, last });
  }

  fail(message: string): void {
    const { events } = this.#node;
    const about = { isUndecodable: false, restartsInARow: 0, restartsWithoutFrame: 0, info: null };
    const stream = { type: 'stream', deviceId: this.#deviceId, event: 'failed', message } as const;
    events.onStream({ ...stream, ...about, faultReason: 'unreadable' });
    this.end(false);
  }

  #frame(): RunObservation {
    this.positionMs += 200;
    const timeMs = RECORDED_AT + this.positionMs;
    const changes: Visit[] = [];
    if (this.positionMs % 10_000 === 0) {
      const id = this.positionMs / 10_000 + 1;
      changes.push({
        ...{ id, trackId: id, state: 'queued', queueEnteredAtMs: timeMs - 3_000, queueLeftAtMs: null },
        ...{ serviceStartedAtMs: null, serviceEndedAtMs: null, outcome: null },
        ...{ arrivalDecidedAtMs: timeMs, outcomeDecidedAtMs: null },
      });
    }
    if (this.positionMs % 10_000 === 5_000 && this.#open[0])
      changes.push({ ...this.#open[0], state: 'closed', outcome: 'abandoned', outcomeDecidedAtMs: timeMs });
    for (const visit of changes) this.#open = visit.state === 'closed' ? [] : [visit];
    return this.#observation(timeMs, changes);
  }

  #observation(timeMs: number, changes: Visit[]): RunObservation {
    const observation = {
      ...{
        sceneId: this.#sceneId,
        timeMs,
        frameIndex: 0,
        tracks: this.hasPerson ? [PERSON] : [],
        changes,
        staff: null,
        floor: [],
      },
      open: { queued: this.#open.length, inService: 0 },
    };
    return { runId: this.#runId, observation, openVisits: this.#open };
  }
}

const PERSON = { id: 1, box: { left: 0.4, top: 0.2, right: 0.5, bottom: 0.8 }, zone: null };

const lostAt = (timeMs: number) =>
  ({ state: 'closed', outcome: 'lost', outcomeDecidedAtMs: timeMs }) as const;
