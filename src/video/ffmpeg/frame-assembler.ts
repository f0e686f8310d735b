import { PIPE_BYTES } from './pipe-size.ts';

/** One frame's bytes on one pipe. Reused: `index` says whose they are now; who keeps the bytes gives others for them. */
export interface Block {
  bytes: Uint8Array;
  index: number;
  arrivedMs: number;
  isDamaged: boolean;
}

/** A model block with the picture of the same frame, where there is one. */
export interface Pair {
  readonly model: Block;
  readonly picture: Block | null;
}

export interface AssemblerOptions {
  readonly modelBytes: number;
  /** Null: only one pipe. */
  readonly pictureBytes: number | null;
  /** `newest`: a frame that nobody took is replaced by the next. `every`: reading waits instead. */
  readonly keep: 'newest' | 'every';
  /** Number of the first frame. */
  readonly firstIndex: number;
  readonly clock: () => number;
}

/**
 * How many blocks one pipe may be ahead of the other. It cannot be made to wait: where a stream pauses, ffmpeg writes the
 * repeated frames of the gap to one pipe first, however many, and would never get to the other.
 */
const MIN_LEAD = 2;
const NONE: Block[] = [];

/** The blocks of one pipe: written, complete and waiting for their other half, free. */
class Lane {
  readonly waiting: Block[] = [];
  readonly #free: Block[] = [];
  readonly #bytes: number;
  #writing: Block;
  #next: number;

  constructor(bytes: number, firstIndex: number) {
    this.#bytes = bytes;
    this.#next = firstIndex;
    this.#writing = this.#take();
  }

  get buffer(): Uint8Array {
    return this.#writing.bytes;
  }
  get nextIndex(): number {
    return this.#next;
  }

  done(arrivedMs: number, isDamaged: boolean): void {
    this.#writing.index = this.#next++;
    this.#writing.isDamaged = isDamaged;
    this.#writing.arrivedMs = arrivedMs;
    this.waiting.push(this.#writing);
    this.#writing = this.#take();
  }

  release(block: Block | null | undefined): void {
    if (block) this.#free.push(block);
  }

  #take(): Block {
    return (
      this.#free.pop() ?? { bytes: new Uint8Array(this.#bytes), index: -1, arrivedMs: 0, isDamaged: false }
    );
  }
}

/**
 * Puts the blocks of the two pipes together by their number, and keeps them for whoever takes frames: pure memory,
 * no reading. Holds six buffers per pipe (more of small ones), allocated once.
 */
export class FrameAssembler {
  readonly #models: Lane;
  readonly #pictures: Lane | null;
  readonly #options: AssemblerOptions;
  #ready: Pair | null = null;
  #taken: Pair | null = null;
  #dropped = 0;
  #completed = 0;
  #ended = false;
  readonly #maxLead: number;

  constructor(options: AssemblerOptions) {
    this.#options = options;
    const smallest = Math.min(options.modelBytes, options.pictureBytes ?? options.modelBytes);
    // Blocks that lie in a pipe say nothing about how far ffmpeg is: small ones are read many at once.
    this.#maxLead = MIN_LEAD + Math.floor(PIPE_BYTES / smallest);
    this.#models = new Lane(options.modelBytes, options.firstIndex);
    this.#pictures =
      options.pictureBytes === null ? null : new Lane(options.pictureBytes, options.firstIndex);
  }

  /** Frames that were replaced before anybody took them, or whose picture was lost. */
  get dropped(): number {
    return this.#dropped;
  }
  /** Frames whose model block has come. */
  get completed(): number {
    return this.#completed;
  }
  /** Number after the newest frame. */
  get nextIndex(): number {
    return this.#models.nextIndex;
  }
  /** With `every`: whether reading has to wait until a frame is taken. */
  get full(): boolean {
    return this.#options.keep === 'every' && this.#ready !== null;
  }

  /** Where the pipe writes. */
  buffer(pipe: 'model' | 'picture'): Uint8Array {
    return this.#lane(pipe).buffer;
  }

  /** The buffer of that pipe is full. */
  done(pipe: 'model' | 'picture', isDamaged = false): void {
    if (pipe === 'model') this.#completed++;
    this.#lane(pipe).done(this.#options.clock(), isDamaged);
    this.#pair();
  }

  /** No more blocks will come: what waits for its picture goes without. */
  end(): void {
    this.#ended = true;
    this.#pair();
  }

  /** The newest frame, or null; its buffers stay as they are until the next call that gives one. */
  take(): Pair | null {
    const pair = this.#ready;
    if (!pair) return null;
    this.#release(this.#taken);
    this.#taken = pair;
    this.#ready = null;
    this.#pair();
    return pair;
  }

  #lane(pipe: 'model' | 'picture'): Lane {
    const lane = pipe === 'model' ? this.#models : this.#pictures;
    if (!lane) throw new Error('this stream has no picture pipe');
    return lane;
  }

  #pair(): void {
    while (!this.full && this.#step());
  }

  /** @returns whether anything could be decided about the oldest blocks */
  #step(): boolean {
    const models = this.#models.waiting;
    const pictures = this.#pictures?.waiting ?? NONE;
    const [model] = models;
    const [picture] = pictures;
    if (picture && (model ? picture.index < model.index : pictures.length > this.#maxLead)) {
      this.#pictures?.release(pictures.shift());
      return true;
    }
    if (!model) return false;
    if (!this.#pictures || picture?.index === model.index) {
      this.#commit(models.shift()!, pictures.shift() ?? null);
      return true;
    }
    if (!picture && models.length <= this.#maxLead && !this.#ended) return false;
    this.#withoutPicture(models.shift()!);
    return true;
  }

  #withoutPicture(model: Block): void {
    if (this.#options.keep === 'every' || this.#ended) this.#commit(model, null);
    else {
      this.#dropped++;
      this.#models.release(model);
    }
  }

  #commit(model: Block, picture: Block | null): void {
    if (this.#ready) {
      this.#dropped++;
      this.#release(this.#ready);
    }
    this.#ready = { model, picture };
  }

  #release(pair: Pair | null): void {
    if (!pair) return;
    this.#models.release(pair.model);
    this.#pictures?.release(pair.picture);
  }
}
