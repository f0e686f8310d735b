import type { Context } from '../../platform/context.ts';
import { NetworkGuard } from '../../platform/network/network-guard.ts';
import { type CameraSearch, type SearchOptions, searchCameras } from '../../video/onvif/search-cameras.ts';
import { policyFor } from '../../video/proxy/camera-proxies.ts';
import { networkPolicy } from '../devices/camera-network.ts';
import { askedAddresses } from './asked-addresses.ts';
import {
  type ClaimedDiscovery,
  claimDiscovery,
  finishDiscovery,
  LONGEST_SECONDS,
  writeProgress,
} from './discovery.store.ts';
import { openLogin, sealCameras } from './seal-secrets.ts';

export interface DiscoveriesParts {
  readonly context: Pick<Context, 'config' | 'db' | 'sealer' | 'logger'>;
  readonly nodeId: string;
  /** For tests. */
  readonly probe?: Partial<Pick<SearchOptions, 'port' | 'probeMs' | 'multicast'>>;
}

/** More searches are left to other nodes. */
const MOST_AT_ONCE = 2;
/** Pause between two writes of what was found. */
const WRITE_MS = 500;

/** Searches for cameras that the API requests, on the node. */
export class Discoveries {
  readonly #parts: DiscoveriesParts;
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Whether a search was asked for while enough ran: the last claims of these may have missed it. */
  #isAskedAgain = false;

  constructor(parts: DiscoveriesParts) {
    this.#parts = parts;
  }

  /** Claims requested searches and runs them. Resolves when none is left for this node. */
  async run(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    if (this.#running.size >= MOST_AT_ONCE) {
      this.#isAskedAgain = true;
      return;
    }
    const work = this.#runClaimed();
    this.#running.add(work);
    await work.finally(() => this.#running.delete(work));
  }

  /** Ends the searches of this node. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled(this.#running);
  }

  async #runClaimed(): Promise<void> {
    const { context, nodeId } = this.#parts;
    for (;;) {
      this.#isAskedAgain = false;
      const claimed = await claimDiscovery(context.db, nodeId);
      if (!claimed && this.#isAskedAgain) continue;
      if (!claimed) return;
      await this.#search(claimed);
      if (this.#ended.signal.aborted) return;
    }
  }

  async #search({ id, network, loginEncrypted, streamNetworks }: ClaimedDiscovery): Promise<void> {
    const { context, probe } = this.#parts;
    const { config, db, sealer, logger } = context;
    const late = AbortSignal.timeout(LONGEST_SECONDS * 1000);
    const signal = AbortSignal.any([this.#ended.signal, late]);
    const policy = policyFor(networkPolicy(config), streamNetworks);
    const sealed = ({ cameras, refused }: CameraSearch) => ({
      camerasEncrypted: sealCameras(sealer, cameras),
      refused,
    });
    const writer = new LatestWriter<CameraSearch>(WRITE_MS, (search) =>
      writeProgress(db, id, sealed(search)),
    );
    try {
      const asked = network === null ? { addresses: [] } : askedAddresses(network);
      const search = await searchCameras({
        guard: new NetworkGuard(policy),
        login: loginEncrypted === null ? null : openLogin(sealer, loginEncrypted),
        addresses: 'addresses' in asked ? asked.addresses : [],
        // Without networks only single hosts are allowed.
        multicast: policy.networks.some((allowed) => allowed !== 'none'),
        signal,
        onProgress: (progress) => writer.set(progress),
        ...probe,
      });
      await writer.stop();
      const errorMessage = this.#ended.signal.aborted ? 'The compute node was stopped: try again.' : null;
      await finishDiscovery(db, id, { ...sealed(search), errorMessage });
    } catch (error) {
      await writer.stop();
      logger.warn({ err: error, discoveryId: id }, 'a search for cameras failed');
      await finishDiscovery(db, id, { errorMessage: 'The search failed on the compute node: try again.' });
    }
  }
}

/** Writes the newest value, at most once in a time; values in between are left out. */
class LatestWriter<Value> {
  readonly #pauseMs: number;
  readonly #write: (value: Value) => Promise<void>;
  /** Null while nothing waits to be written. */
  #waiting: { newest: Value } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(pauseMs: number, write: (value: Value) => Promise<void>) {
    this.#pauseMs = pauseMs;
    this.#write = write;
  }

  set(value: Value): void {
    if (this.#waiting) {
      this.#waiting.newest = value;
      return;
    }
    const waiting = { newest: value };
    this.#waiting = waiting;
    this.#timer = setTimeout(() => {
      this.#waiting = null;
      // What could not be written is part of the next value.
      this.#writing = this.#writing.then(() => this.#write(waiting.newest)).catch(() => undefined);
    }, this.#pauseMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
  }
}
