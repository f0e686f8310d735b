import type { Login } from '../../platform/network/credentials.ts';
import { type NetworkGuard, RefusedAddress } from '../../platform/network/network-guard.ts';
import { NotAuthorized, SoapClient, UselessAnswer } from './soap-client.ts';
import { nodesAt, textAt, type XmlNode } from './xml.ts';

/** A stream of a camera. */
export interface CameraStream {
  /** Name of the profile. */
  readonly profile: string | null;
  /** Without a login. */
  readonly url: string;
  readonly codec: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly fps: number | null;
}

/** What a camera says about itself; null where it says nothing. */
export interface CameraFacts {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly firmwareVersion: string | null;
  readonly serialNumber: string | null;
  readonly macAddress: string | null;
  /** Whether it gives its streams without a login, with the given one, or not; null when it did not answer. */
  readonly credentials: 'not_needed' | 'accepted' | 'needed' | 'wrong' | null;
  readonly streams: readonly CameraStream[];
  /** One sentence; null when the camera was asked everything. */
  readonly error: string | null;
}

export interface AskOptions {
  readonly guard: NetworkGuard;
  readonly login: Login | null;
  readonly signal: AbortSignal;
}

/** For all calls of one camera, so that slow ones leave time for the others. */
const CAMERA_MS = 15_000;
const MOST_PROFILES = 6;
const STREAM = `<trt:StreamSetup><tt:Stream>RTP-Unicast</tt:Stream><tt:Transport><tt:Protocol>RTSP</tt:Protocol></tt:Transport></trt:StreamSetup>`;

const NOTHING: CameraFacts = {
  ...{ manufacturer: null, model: null, firmwareVersion: null, serialNumber: null, macAddress: null },
  ...{ credentials: null, streams: [], error: null },
};

/** Asks a camera who it is and for its streams. Never throws. @param service address of its device service */
export async function askCamera(service: URL, { guard, login, signal }: AskOptions): Promise<CameraFacts> {
  const client = new SoapClient(guard, login, AbortSignal.any([signal, AbortSignal.timeout(CAMERA_MS)]));
  let facts = NOTHING;
  try {
    client.clockOffsetMs = await readClock(client, service);
    const accepted = login ? 'accepted' : 'not_needed';
    facts = { ...facts, ...(await readIdentity(client, service)), credentials: accepted };
    facts = { ...facts, macAddress: await readMac(client, service) };
    return { ...facts, streams: await readStreams(client, service) };
  } catch (error) {
    if (!(error instanceof NotAuthorized)) return { ...facts, error: sentenceOf(error, signal) };
    return login
      ? { ...facts, credentials: 'wrong', error: 'It refuses the user name or the password.' }
      : { ...facts, credentials: 'needed', error: 'It wants a user name and a password.' };
  }
}

function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof UselessAnswer) return error.message;
  if (error instanceof RefusedAddress) return `Its address ${error.message}.`;
  const { name, code } = error as NodeJS.ErrnoException;
  if (signal.aborted) return 'The search ended before it answered.';
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return 'It does not answer in time.';
  return 'The connection to it failed.';
}

/** @returns how far the camera's clock is ahead of ours; 0 where it does not say */
async function readClock(client: SoapClient, service: URL): Promise<number> {
  try {
    const body = await client.call(service, '<tds:GetSystemDateAndTime/>');
    const at = ['GetSystemDateAndTimeResponse', 'SystemDateAndTime', 'UTCDateTime'];
    const number = (...path: string[]) => Number(textAt(body, ...at, ...path));
    const [year, month, day] = [number('Date', 'Year'), number('Date', 'Month'), number('Date', 'Day')];
    const [hour, minute, second] = [
      number('Time', 'Hour'),
      number('Time', 'Minute'),
      number('Time', 'Second'),
    ];
    const offsetMs = Date.UTC(year, month - 1, day, hour, minute, second) - Date.now();
    return year > 1970 && Number.isFinite(offsetMs) && Math.abs(Date.now() + offsetMs) < 8e15 ? offsetMs : 0;
  } catch (error) {
    if (error instanceof NotAuthorized || error instanceof UselessAnswer) return 0;
    throw error;
  }
}

async function readIdentity(client: SoapClient, service: URL) {
  const body = await client.call(service, '<tds:GetDeviceInformation/>');
  const text = (name: string) => textAt(body, 'GetDeviceInformationResponse', name)?.slice(0, 100) ?? null;
  return {
    manufacturer: text('Manufacturer'),
    model: text('Model'),
    firmwareVersion: text('FirmwareVersion'),
    serialNumber: text('SerialNumber'),
  };
}

async function readMac(client: SoapClient, service: URL): Promise<string | null> {
  try {
    const body = await client.call(service, '<tds:GetNetworkInterfaces/>');
    const mac = textAt(body, 'GetNetworkInterfacesResponse', 'NetworkInterfaces', 'Info', 'HwAddress');
    return mac && /^[\da-f]{2}([:-][\da-f]{2}){5}$/i.test(mac)
      ? mac.toLowerCase().replaceAll('-', ':')
      : null;
  } catch (error) {
    // Some cameras show it to administrators only.
    if (error instanceof NotAuthorized || error instanceof UselessAnswer) return null;
    throw error;
  }
}

async function readStreams(client: SoapClient, service: URL): Promise<CameraStream[]> {
  const media = await mediaService(client, service);
  const body = await client.call(media, '<trt:GetProfiles/>');
  const profiles = nodesAt(body, 'GetProfilesResponse', 'Profiles').slice(0, MOST_PROFILES);
  const streams: CameraStream[] = [];
  for (const profile of profiles) {
    const token = textAt(profile, '@token');
    if (token === null || !/^[\w.:-]{1,100}$/.test(token)) continue;
    const asked = `<trt:GetStreamUri>${STREAM}<trt:ProfileToken>${token}</trt:ProfileToken></trt:GetStreamUri>`;
    const answer = await client.call(media, asked);
    const url = streamOf(textAt(answer, 'GetStreamUriResponse', 'MediaUri', 'Uri'), service);
    if (url !== null && !streams.some((known) => known.url === url))
      streams.push({ url, ...encodingOf(profile) });
  }
  return streams;
}

/** The path of the media service. Its host is always that of the camera, whatever the camera says. */
async function mediaService(client: SoapClient, service: URL): Promise<URL> {
  try {
    const body = await client.call(
      service,
      '<tds:GetCapabilities><tds:Category>Media</tds:Category></tds:GetCapabilities>',
    );
    const said = textAt(body, 'GetCapabilitiesResponse', 'Capabilities', 'Media', 'XAddr') ?? '';
    if (!URL.canParse(said)) return service;
    const { pathname, search } = new URL(said);
    return Object.assign(new URL(service), { pathname, search });
  } catch (error) {
    if (error instanceof UselessAnswer) return service;
    throw error;
  }
}

function encodingOf(profile: XmlNode): Omit<CameraStream, 'url'> {
  const video = (...path: string[]) => textAt(profile, 'VideoEncoderConfiguration', ...path);
  const number = (...path: string[]) => {
    const value = Number(video(...path) ?? Number.NaN);
    return Number.isFinite(value) && value > 0 && value < 100_000 ? value : null;
  };
  return {
    profile: textAt(profile, 'Name')?.slice(0, 100) ?? null,
    codec: video('Encoding')?.slice(0, 20).toLowerCase() ?? null,
    width: number('Resolution', 'Width'),
    height: number('Resolution', 'Height'),
    fps: number('RateControl', 'FrameRateLimit'),
  };
}

/** A stream leads to the camera that was asked, and holds no login. @returns null for an address that is no stream */
function streamOf(said: string | null, service: URL): string | null {
  const [, scheme, port, rest] =
    /^(rtsps?):\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:[\]]+)(:\d{1,5})?([/?][^\s]*)?$/i.exec(said ?? '') ?? [];
  return scheme === undefined
    ? null
    : `${scheme.toLowerCase()}://${service.hostname}${port ?? ''}${rest ?? ''}`;
}
