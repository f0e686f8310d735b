import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CAMERA_LOGIN = { user: 'operator', password: 'secret & <more>' };

export interface OnvifCameraOptions {
  /** An address of 127.0.0.0/8. */
  readonly address: string;
  /** Where it answers probes; 0: any free port. */
  readonly udpPort: number;
  /** How it wants its login. */
  readonly login?: 'none' | 'digest' | 'token' | 'basic';
  /** Its addresses in the answer to a probe; by default that of its web server. */
  readonly serviceUrls?: string;
  /** Its whole answer to a probe. */
  readonly probeAnswer?: (relatesTo: string) => string | Buffer;
  /** How often it answers a probe. */
  readonly times?: number;
  /** Another address from which it answers probes. */
  readonly answersFrom?: string;
  /** Its answer to every HTTP request instead of SOAP. */
  readonly respond?: (response: ServerResponse) => void;
  /** How far its clock is ahead. */
  readonly clockOffsetMs?: number;
  /** What it says of its streams; by default an address of its own. */
  readonly streamUrl?: string;
}

export interface OnvifCamera {
  readonly udpPort: number;
  readonly httpPort: number;
  /** Number of probes that it got. */
  readonly probes: number;
  /** Bodies of the requests that it got. */
  readonly requests: readonly string[];
  /** Authorization headers that it got. */
  readonly authorizations: readonly string[];
  close(): Promise<void>;
}

/** A camera that speaks just enough ONVIF, on one address of this machine. */
export async function startOnvifCamera(options: OnvifCameraOptions): Promise<OnvifCamera> {
  const { address, udpPort } = options;
  const requests: string[] = [];
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => {
        requests.push(body);
        const { authorization } = request.headers;
        if (authorization) authorizations.push(authorization);
        if (options.respond) options.respond(response);
        else respond(options, { body, authorization, port: portOf(server) }, response);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const httpPort = portOf(server);
  const socket = await bind(address, udpPort);
  const answering = options.answersFrom ? await bind(options.answersFrom, 0) : socket;
  let probes = 0;
  socket.on('message', (probe, { address: to, port }) => {
    probes++;
    const id = /MessageID>([^<]*)</.exec(probe.toString())?.[1] ?? '';
    const urls = options.serviceUrls ?? `http://${address}:${httpPort}/onvif/device_service`;
    const answer = options.probeAnswer?.(id) ?? probeMatch(id, urls);
    for (let time = 0; time < (options.times ?? 1); time++) answering.send(answer, port, to);
  });
  return {
    udpPort: socket.address().port,
    httpPort,
    get probes() {
      return probes;
    },
    requests,
    authorizations,
    async close() {
      socket.close();
      if (answering !== socket) answering.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function bind(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, resolve);
  });
  return socket;
}

export const probeMatch = (relatesTo: string, urls: string): string =>
  `<?xml version="1.0"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope" xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><SOAP-ENV:Header><wsa:RelatesTo>${relatesTo}</wsa:RelatesTo></SOAP-ENV:Header><SOAP-ENV:Body><d:ProbeMatches><d:ProbeMatch><d:Types>dn:NetworkVideoTransmitter</d:Types><d:Scopes>onvif://www.onvif.org/type/video_encoder onvif://www.onvif.org/name/Till%203 onvif://www.onvif.org/hardware/IPC-4</d:Scopes><d:XAddrs>${urls}</d:XAddrs></d:ProbeMatch></d:ProbeMatches></SOAP-ENV:Body></SOAP-ENV:Envelope>`;

const envelope = (body: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${body}</s:Body></s:Envelope>`;

interface Asked {
  readonly body: string;
  readonly authorization: string | undefined;
  readonly port: number;
}

function respond(options: OnvifCameraOptions, asked: Asked, response: ServerResponse): void {
  const { login = 'none', address } = options;
  const isOpen = asked.body.includes('GetSystemDateAndTime');
  if (!isOpen && login === 'digest' && !isDigestRight(asked.authorization)) {
    response.writeHead(401, {
      'www-authenticate': 'Digest realm="cam", nonce="abc", qop="auth", algorithm=MD5',
    });
    response.end();
    return;
  }
  if (!isOpen && login === 'basic') {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="cam"' });
    response.end();
    return;
  }
  if (!isOpen && login === 'token' && !isTokenRight(asked.body, options.clockOffsetMs ?? 0)) {
    response.writeHead(400);
    response.end(
      envelope(
        '<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>ter:NotAuthorized</s:Value></s:Subcode></s:Code></s:Fault>',
      ),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'application/soap+xml' });
  response.end(envelope(answerTo(asked.body, { ...options, service: `http://${address}:${asked.port}` })));
}

function answerTo(body: string, options: OnvifCameraOptions & { service: string }): string {
  const { address, service, clockOffsetMs = 0 } = options;
  const streamUrl = options.streamUrl ?? `rtsp://${address}:554/stream?channel=1&amp;subtype=0`;
  const now = new Date(Date.now() + clockOffsetMs);
  if (body.includes('GetSystemDateAndTime'))
    return `<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:UTCDateTime><tt:Time><tt:Hour>${now.getUTCHours()}</tt:Hour><tt:Minute>${now.getUTCMinutes()}</tt:Minute><tt:Second>${now.getUTCSeconds()}</tt:Second></tt:Time><tt:Date><tt:Year>${now.getUTCFullYear()}</tt:Year><tt:Month>${now.getUTCMonth() + 1}</tt:Month><tt:Day>${now.getUTCDate()}</tt:Day></tt:Date></tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>`;
  if (body.includes('GetDeviceInformation'))
    return '<tds:GetDeviceInformationResponse><tds:Manufacturer>Example</tds:Manufacturer><tds:Model>IPC-4</tds:Model><tds:FirmwareVersion>1.2.0</tds:FirmwareVersion><tds:SerialNumber>0042</tds:SerialNumber></tds:GetDeviceInformationResponse>';
  if (body.includes('GetNetworkInterfaces'))
    return '<tds:GetNetworkInterfacesResponse><tds:NetworkInterfaces token="eth0"><tt:Info><tt:HwAddress>00-11-22-AA-44-55</tt:HwAddress></tt:Info></tds:NetworkInterfaces></tds:GetNetworkInterfacesResponse>';
  if (body.includes('GetCapabilities'))
    return `<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Media><tt:XAddr>${service.replace(address, '169.254.169.254')}/onvif/media</tt:XAddr></tt:Media></tds:Capabilities></tds:GetCapabilitiesResponse>`;
  if (body.includes('GetProfiles')) {
    const profile = (token: string, width: number, height: number) =>
      `<trt:Profiles token="${token}" fixed="true"><tt:Name>${token}</tt:Name><tt:VideoEncoderConfiguration><tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution><tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit></tt:RateControl></tt:VideoEncoderConfiguration></trt:Profiles>`;
    return `<trt:GetProfilesResponse>${profile('main', 1920, 1080)}${profile('sub', 640, 360)}</trt:GetProfilesResponse>`;
  }
  const token = /ProfileToken>([^<]*)</.exec(body)?.[1] ?? '';
  const ofProfile = streamUrl.replace('subtype=0', `subtype=${token === 'main' ? 0 : 1}`);
  return `<trt:GetStreamUriResponse><trt:MediaUri><tt:Uri>${ofProfile}</tt:Uri></trt:MediaUri></trt:GetStreamUriResponse>`;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function isDigestRight(authorization: string | undefined): boolean {
  const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(authorization ?? '')?.[1] ?? '';
  const { user, password } = CAMERA_LOGIN;
  const [secret, request] = [md5(`${user}:cam:${password}`), md5(`POST:${field('uri')}`)];
  const expected = md5([secret, 'abc', field('nc'), field('cnonce'), 'auth', request].join(':'));
  return field('username') === user && field('response') === expected;
}

/** As cameras check it: the digest, and that the message was made within a minute by their own clock. */
function isTokenRight(body: string, clockOffsetMs: number): boolean {
  const field = (name: string) => new RegExp(`<\\w+:${name}(?: [^>]*)?>([^<]*)<`).exec(body)?.[1] ?? '';
  const [nonce, created] = [Buffer.from(field('Nonce'), 'base64'), field('Created')];
  const digest = createHash('sha1')
    .update(nonce)
    .update(created)
    .update(CAMERA_LOGIN.password)
    .digest('base64');
  const ageMs = Math.abs(Date.parse(created) - Date.now() - clockOffsetMs);
  return field('Username') === CAMERA_LOGIN.user && field('Password') === digest && ageMs < 60_000;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
