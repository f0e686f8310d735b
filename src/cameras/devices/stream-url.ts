import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Sealer } from '../../platform/crypto.ts';
import type { SealedColumn } from '../../platform/database/reseal.store.ts';
import { canonicalHost, faultInHost, type NetworkPolicy } from '../../platform/network/network-policy.ts';
import { faultInWritten } from '../../platform/network/written-address.ts';
import { parseShopAddress, SHOP_ADDRESS_HINT } from '../../simulator/shop-address.ts';

/** What the operator allows. */
export interface StreamPolicy {
  /** Folder whose files may be devices; without it no file is allowed. */
  readonly mediaRoot?: string | undefined;
  /** Checked against the host as written. The host is looked up and checked again when the stream is opened. */
  readonly network: NetworkPolicy;
}

const NETWORK_SCHEMES = ['rtsp', 'rtsps', 'rtmp', 'http', 'https'];

/**
 * A stream address is hostile input: it makes the service open a connection or a file.
 * @returns the address to store, or the rest of a sentence about what is wrong with it
 */
export function checkStreamUrl(text: string, policy: StreamPolicy): { url: string } | { fault: string } {
  if (/[\s\p{Cc}]/u.test(text)) return { fault: 'must hold no spaces and no control characters' };
  if (text.includes('***')) {
    return {
      fault:
        'must not hold ***, which stands for what was masked: send the whole address, its password included',
    };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'sim') return parseShopAddress(text) ? { url: text } : { fault: SHOP_ADDRESS_HINT };
  if (scheme === 'file') return checkFile(text, policy.mediaRoot);
  if (!NETWORK_SCHEMES.includes(scheme)) {
    return { fault: `must begin with ${NETWORK_SCHEMES.map((name) => `${name}://`).join(', ')} or sim:` };
  }
  return checkNetwork(text, policy.network);
}

function checkFile(text: string, mediaRoot: string | undefined): { url: string } | { fault: string } {
  if (!mediaRoot) return { fault: 'may be a file only when the operator sets MEDIA_ROOT' };
  const outside = { fault: 'must name a file that exists inside MEDIA_ROOT' };
  try {
    const root = realpathSync(mediaRoot);
    // file:clip.mp4 is relative to the folder, file:///… is absolute.
    const name = /^file:(?!\/)(.+)$/i.exec(text)?.[1];
    const path = realpathSync(name ? resolve(root, decodeURIComponent(name)) : fileURLToPath(text));
    const inside = relative(root, path);
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return outside;
    return { url: pathToFileURL(path).href };
  } catch {
    return outside;
  }
}

function checkNetwork(text: string, policy: NetworkPolicy): { url: string } | { fault: string } {
  const wrong = faultInWritten(text);
  if (wrong) return { fault: wrong };
  const host = hostOf(text);
  if (!host) return { fault: 'must name a host, like rtsp://user:password@192.168.1.20:554/stream1' };
  if (/^rtsps:.*[?&]transport=(?:udp|multicast)\b/is.test(text))
    return { fault: 'may ask for transport=udp or multicast only with rtsp://, not with rtsps://' };
  const fault = faultInHost(host, policy);
  return fault ? { fault } : { url: text };
}

/** @returns the host as the connection will use it; null if there is none */
function hostOf(text: string): string | null {
  const web = text.replace(/^[a-z]+:/i, 'http:');
  return /^http:\/\/[^/?#\\]/i.test(web) && URL.canParse(web) ? canonicalHost(new URL(web).hostname) : null;
}

/** The two addresses of a device. A sealed one cannot be opened as the other. */
export type StreamField = 'streamUrl' | 'analysisStreamUrl';
const bindingOf = (field: StreamField) => `device.${field}`;

export const SEALED_STREAM_URL: SealedColumn = {
  ...{ table: 'Device', column: 'streamUrlEncrypted', boundTo: 'id' },
  bindingOf: () => bindingOf('streamUrl'),
};
export const SEALED_ANALYSIS_STREAM_URL: SealedColumn = {
  ...{ table: 'Device', column: 'analysisStreamUrlEncrypted', boundTo: 'id' },
  bindingOf: () => bindingOf('analysisStreamUrl'),
};

export const sealStreamUrl = (sealer: Sealer, url: string, field: StreamField = 'streamUrl'): string =>
  sealer.seal(url, bindingOf(field));

/** @throws Error when ENCRYPTION_KEYS lacks the key with which it was sealed */
export const openStreamUrl = (sealer: Sealer, sealed: string, field: StreamField = 'streamUrl'): string =>
  sealer.open(sealed, bindingOf(field));
