import { AtMost } from '../../platform/jobs/at-most.ts';
import type { Login } from '../../platform/network/credentials.ts';
import type { NetworkGuard } from '../../platform/network/network-guard.ts';
import { askCamera, type CameraFacts } from './ask-camera.ts';
import { DISCOVERY_PORT, type ProbeMatch, probeNetwork } from './probe-network.ts';

/** A camera that was found. */
export interface FoundCamera extends CameraFacts {
  /** Its IP address. */
  readonly address: string;
  /** Address of its ONVIF service; null when it named none on itself. */
  readonly serviceUrl: string | null;
  readonly name: string | null;
  /** It was asked for its streams. */
  readonly isAsked: boolean;
}

export interface CameraSearch {
  readonly cameras: readonly FoundCamera[];
  /** Addresses that answered and may not be used. */
  readonly refused: number;
}

export interface SearchOptions {
  /** Decides which addresses may be used. */
  readonly guard: NetworkGuard;
  readonly login: Login | null;
  /** Addresses that are asked one by one. */
  readonly addresses: readonly string[];
  readonly multicast: boolean;
  readonly signal: AbortSignal;
  /** Called whenever a camera was found or asked. */
  readonly onProgress: (search: CameraSearch) => void;
  readonly port?: number;
  readonly probeMs?: number;
}

const PROBE_MS = 5_000;
const MOST_CAMERAS = 128;
const MOST_ASKED_AT_ONCE = 8;

/** Looks for ONVIF cameras and asks each for its streams. Only addresses that the guard allows are connected to. */
export async function searchCameras(options: SearchOptions): Promise<CameraSearch> {
  const { guard, login, addresses, multicast, signal, onProgress } = options;
  const seen = new Set<string>();
  const found = new Map<string, FoundCamera>();
  let refused = 0;
  const current = (): CameraSearch => ({ cameras: [...found.values()], refused });
  const atOnce = new AtMost(MOST_ASKED_AT_ONCE);
  const set = (camera: FoundCamera) => {
    found.set(camera.address, camera);
    onProgress(current());
  };
  const ask = async (match: ProbeMatch): Promise<void> => {
    const service = await serviceOf(match, guard);
    if (service === 'refused') {
      refused++;
      onProgress(current());
      return;
    }
    const camera = cameraOf(match, service);
    set(camera);
    if (service === null) return;
    await atOnce.run(async () => {
      const facts = await askCamera(service, { guard, login, signal });
      set({ ...camera, ...facts, model: facts.model ?? camera.model, isAsked: true });
    });
  };
  const asked: Promise<void>[] = [];
  await probeNetwork({
    ...{ addresses: await allowedOf(addresses, guard), multicast, signal },
    port: options.port ?? DISCOVERY_PORT,
    timeoutMs: options.probeMs ?? PROBE_MS,
    onMatch(match) {
      if (seen.has(match.address) || seen.size >= MOST_CAMERAS) return;
      seen.add(match.address);
      asked.push(ask(match));
    },
  });
  await Promise.all(asked);
  return current();
}

/** Those of the addresses that may be asked. */
async function allowedOf(addresses: readonly string[], guard: NetworkGuard): Promise<string[]> {
  const allowed: string[] = [];
  for (const address of addresses) {
    const isAllowed = await guard.resolve(address, DISCOVERY_PORT).then(
      () => true,
      () => false,
    );
    if (isAllowed) allowed.push(address);
  }
  return allowed;
}

/**
 * The service of a camera. It must be on the address from which the camera answered: otherwise an answer could send our
 * requests, with the login, to another machine.
 */
async function serviceOf(
  { address, serviceUrls }: ProbeMatch,
  guard: NetworkGuard,
): Promise<URL | null | 'refused'> {
  const own = serviceUrls
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text))
    .find(({ protocol, hostname }) => /^https?:$/.test(protocol) && hostname === address);
  try {
    await guard.resolve(address, Number(own?.port || (own?.protocol === 'https:' ? 443 : 80)));
  } catch {
    return 'refused';
  }
  return own ? new URL(`${own.protocol}//${own.host}${own.pathname}${own.search}`) : null;
}

const cameraOf = ({ address, scopes }: ProbeMatch, service: URL | null): FoundCamera => ({
  address,
  serviceUrl: service?.href ?? null,
  name: scopeOf(scopes, 'name'),
  manufacturer: null,
  model: scopeOf(scopes, 'hardware'),
  firmwareVersion: null,
  serialNumber: null,
  macAddress: null,
  credentials: null,
  streams: [],
  isAsked: service === null,
  error: service === null ? 'It names no ONVIF service on its own address.' : null,
});

/** `onvif://www.onvif.org/name/Entrance%201` is the name `Entrance 1`. */
function scopeOf(scopes: readonly string[], kind: 'name' | 'hardware'): string | null {
  const prefix = `onvif://www.onvif.org/${kind}/`;
  const text = scopes.find((scope) => scope.toLowerCase().startsWith(prefix))?.slice(prefix.length);
  if (!text) return null;
  try {
    return (
      decodeURIComponent(text)
        .replace(/[\p{Cc}\p{Cf}]/gu, '')
        .slice(0, 100) || null
    );
  } catch {
    return text.slice(0, 100);
  }
}
