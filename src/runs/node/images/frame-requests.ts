import {
  claimFrameRequests,
  completeFrameRequests,
  pendingFrameRequests,
} from '../../../cameras/devices/images/frame-request.store.ts';
import { type LanePool, NO_IMAGE } from '../../../lanes/lane-pool.ts';
import type { LaneImage } from '../../../lanes/lane-protocol.ts';
import type { Context } from '../../../platform/context.ts';
import { UnusableRun } from '../../record/load-run.ts';
import { cameraStreamUrl } from '../camera-stream-url.ts';
import { encryptedStream } from '../encrypted-stream.store.ts';
import { presentPicture } from './present-pictures.ts';

export interface FrameRequestsParts {
  readonly context: Pick<Context, 'config' | 'db' | 'sealer' | 'clock'>;
  readonly nodeId: string;
  readonly lanes: Pick<LanePool, 'image' | 'grab'>;
}

/** Each frame of a device that nobody streams needs a decoder. Above this number the requests are left to other nodes. */
const MAX_GRABS = 4;

/** Answers the requests of the API for one frame of a device. */
export class FrameRequests {
  readonly #parts: FrameRequestsParts;
  #grabs = 0;

  constructor(parts: FrameRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Answers all requests for a device with one image. The node that streams the device uses its newest frame. When nobody
   * streams the device, the first node that claims the requests opens the stream for one frame.
   * @param isStreamed by this node
   */
  async answer(deviceId: string, isStreamed: boolean): Promise<void> {
    const { context, nodeId } = this.#parts;
    if (isStreamed) {
      const ids = await pendingFrameRequests(context, deviceId);
      if (ids.length > 0) await this.#complete(ids, () => this.#ofStreamed(deviceId));
      return;
    }
    if (this.#grabs >= MAX_GRABS) return;
    this.#grabs += 1;
    try {
      const ids = await claimFrameRequests(context.db, { deviceId, nodeId });
      if (ids.length > 0) await this.#complete(ids, () => this.#grab(deviceId));
    } finally {
      this.#grabs -= 1;
    }
  }

  async #complete(ids: readonly string[], make: () => Promise<LaneImage>): Promise<void> {
    const { context } = this.#parts;
    const image = await presentPicture(make, (made) => completeFrameRequests(context, ids, made));
    if (!image.jpeg) await completeFrameRequests(context, ids, image);
  }

  /** Where a second stream is analysed, the main one is opened for the image; the analysed one stands in if it gives none. */
  async #ofStreamed(deviceId: string): Promise<LaneImage> {
    const { context, lanes } = this.#parts;
    const analysed = lanes.image(deviceId);
    const stream = await encryptedStream(context.db, deviceId);
    if (!stream?.analysisStreamUrlEncrypted || this.#grabs >= MAX_GRABS) return analysed;
    this.#grabs += 1;
    try {
      const main = await this.#grab(deviceId);
      return main.jpeg ? main : await analysed;
    } finally {
      this.#grabs -= 1;
    }
  }

  async #grab(deviceId: string): Promise<LaneImage> {
    const { context, lanes } = this.#parts;
    const stream = await encryptedStream(context.db, deviceId);
    if (stream === null) return NO_IMAGE;
    try {
      const url = cameraStreamUrl(context, stream, stream.streamUrlEncrypted);
      return await lanes.grab(url, stream.streamNetworks, stream);
    } catch (error) {
      if (error instanceof UnusableRun) return { ...NO_IMAGE, fault: error.message };
      throw error;
    }
  }
}
