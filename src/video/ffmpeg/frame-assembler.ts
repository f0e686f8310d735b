import { PIPE_BYTES } from './pipe-size.ts';

/** The bytes of one frame from one pipe. Blocks are reused: `index` says which frame they hold now. */
export interface Block {
  bytes: Uint8Array;
  index: number;
  arrivedMs: number;
  isDamaged: boolean;
  /** Presentation time as ffmpeg's log says it; null where frames are not timed by the log. */
  timeMs: number | null;
}

/** What is known of a frame when its last byte is read. */
export interface BlockFacts {
  readonly isDamaged: boolean;
  readonly timeMs: number | null;
}

/** The model block and the full-size block of one frame; without the latter if it was lost or is not made. */
export interface Pair {
  readonly model: Block;
  readonly full: Block | null;
}

export interface AssemblerOptions {
  readonly modelBytes: number;
  /** Null: there is only the pipe for the model. */
  readonly fullBytes: number | null;
  /** `newest`: the next frame replaces one that was not taken. `every`: reading waits until it is taken. */
  readonly keep: 'newest' | 'every';
  readonly clock: () => number;
}

/**
 * How many blocks one pipe may be ahead of the other. Making it wait would block ffmpeg: after a pause of the stream it
 * writes all repeated frames of the gap to one pipe first.
 */
const MIN_LEAD = 2;
const NONE: Block[] = [];
const PLAIN: BlockFacts = { isDamaged: false, timeMs: null };

/** The blocks of one pipe: the one being written, those that wait for the other pipe, and free ones. */
class PipeBlocks {
  readonly waiting: Block[] = [];
  readonly #free: Block[] = [];
  readonly #bytes: number;
  #writing: Block;
  #next = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#writing = this.#take();
  }

  get buffer(): Uint8Array {
    return this.#writing.bytes;
  }

  done(arrivedMs: number, facts: BlockFacts): void {
    Object.assign(this.#writing, facts, { index: this.#next++, arrivedMs });
    this.waiting.push(this.#writing);
    this.#writing = this.#take();
  }

  release(block: Block | null | undefined): void {
    if (block) this.#free.push(block);
  }

  #take(): Block {
    const free = this.#free.pop();
    return free ?? { bytes: new Uint8Array(this.#bytes), index: -1, arrivedMs: 0, ...PLAIN };
  }
}

/**
 * Joins the blocks of the two pipes by their number and holds the result until it is taken. It only manages memory and does
 * not read. It allocates six buffers per pipe once, more if they are small.
 */
export class FrameAssembler {
  readonly #models: PipeBlocks;
  readonly #fulls: PipeBlocks | null;
  readonly #options: AssemblerOptions;
  #ready: Pair | null = null;
  #taken: Pair | null = null;
  #dropped = 0;
  #completed = 0;
  #ended = false;
  readonly #maxLead: number;

  constructor(options: AssemblerOptions) {
    this.#options = options;
    const smallest = Math.min(options.modelBytes, options.fullBytes ?? options.modelBytes);
    // Blocks that lie in a pipe say nothing about how far ffmpeg is: small ones are read many at once.
    this.#maxLead = MIN_LEAD + Math.floor(PIPE_BYTES / smallest);
    this.#models = new PipeBlocks(options.modelBytes);
    this.#fulls = options.fullBytes === null ? null : new PipeBlocks(options.fullBytes);
  }

  /** Frames that were replaced before they were taken, or whose full-size block was lost. */
  get dropped(): number {
    return this.#dropped;
  }
  /** Frames whose model block is complete. */
  get completed(): number {
    return this.#completed;
  }
  /** With `every`: whether reading has to wait until a frame is taken. */
  get mustWait(): boolean {
    return this.#options.keep === 'every' && this.#ready !== null;
  }

  /** The buffer that is filled from this pipe. */
  buffer(pipe: 'model' | 'full'): Uint8Array {
    return this.#blocksOf(pipe).buffer;
  }

  /** The buffer of this pipe is complete. */
  done(pipe: 'model' | 'full', facts: BlockFacts = PLAIN): void {
    if (pipe === 'model') this.#completed++;
    this.#blocksOf(pipe).done(this.#options.clock(), facts);
    this.#pair();
  }

  /** No more blocks will come: frames no longer wait for their full-size block. */
  end(): void {
    this.#ended = true;
    this.#pair();
  }

  /** The newest frame, or null. Its buffers stay unchanged until the next call that returns one. */
  take(): Pair | null {
    const pair = this.#ready;
    if (!pair) return null;
    this.#release(this.#taken);
    this.#taken = pair;
    this.#ready = null;
    this.#pair();
    return pair;
  }

  #blocksOf(pipe: 'model' | 'full'): PipeBlocks {
    const blocks = pipe === 'model' ? this.#models : this.#fulls;
    if (!blocks) throw new Error('this stream has no pipe for full frames');
    return blocks;
  }

  #pair(): void {
    while (!this.mustWait && this.#step());
  }

  /** @returns whether anything could be decided about the oldest blocks */
  #step(): boolean {
    const models = this.#models.waiting;
    const fulls = this.#fulls?.waiting ?? NONE;
    const [model] = models;
    const [full] = fulls;
    if (full && (model ? full.index < model.index : fulls.length > this.#maxLead)) {
      this.#fulls?.release(fulls.shift());
      return true;
    }
    if (!model) return false;
    if (!this.#fulls || full?.index === model.index) {
      models.shift();
      this.#commit(model, fulls.shift() ?? null);
      return true;
    }
    if (!full && models.length <= this.#maxLead && !this.#ended) return false;
    models.shift();
    this.#withoutFull(model);
    return true;
  }

  #withoutFull(model: Block): void {
    if (this.#options.keep === 'every' || this.#ended) this.#commit(model, null);
    else {
      this.#dropped++;
      this.#models.release(model);
    }
  }

  #commit(model: Block, full: Block | null): void {
    if (this.#ready) {
      this.#dropped++;
      this.#release(this.#ready);
    }
    this.#ready = { model, full };
  }

  #release(pair: Pair | null): void {
    if (!pair) return;
    this.#models.release(pair.model);
    this.#fulls?.release(pair.full);
  }
}
