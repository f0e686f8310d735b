/** How a camera sends its packets: within the connection, to two of our UDP ports, or to a multicast group. */
export type RtspTransport = 'tcp' | 'udp' | 'multicast';

/** What a camera answers about its packets. */
export interface TransportReply {
  /** Packets come within the connection, whatever was requested. */
  readonly isInterleaved: boolean;
  /** The camera's port for video; null if it does not say. */
  readonly serverPort: number | null;
  /** The multicast group; null if it does not say. */
  readonly group: { readonly address: string; readonly port: number } | null;
}

const portIn = (text: string, name: string): number | null => {
  const port = Number(new RegExp(`(?:^|;)\\s*${name}=(\\d{1,5})`, 'i').exec(text)?.[1] ?? Number.NaN);
  return port > 0 && port < 65_535 ? port : null;
};

/** @param text a `Transport` header */
export function readTransport(text: string): TransportReply {
  const address = /(?:^|;)\s*destination="?([^;"\s]+)/i.exec(text)?.[1];
  const port = portIn(text, 'port');
  return {
    isInterleaved: /(?:^|;)\s*interleaved=/i.test(text),
    serverPort: portIn(text, 'server_port'),
    group: address === undefined || port === null ? null : { address, port },
  };
}

/** The channels on which ffmpeg expects video and reports. */
export function channelsIn(text: string): readonly [video: number, report: number] {
  const [, video = '0', report] = /interleaved=(\d{1,3})(?:-(\d{1,3}))?/i.exec(text) ?? [];
  return [Number(video) & 0xff, Number(report ?? Number(video) + 1) & 0xff];
}
