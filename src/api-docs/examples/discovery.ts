import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const STREAM = {
  profile: 'main',
  url: 'rtsp://192.168.1.20:554/stream1',
  codec: 'h264',
  width: 1920,
  height: 1080,
  fps: 25,
};
const CAMERA = {
  address: '192.168.1.20',
  serviceUrl: 'http://192.168.1.20/onvif/device_service',
  name: 'Till 3',
  manufacturer: 'Example',
  model: 'IPC-4',
  firmwareVersion: '1.2.0',
  serialNumber: 'SN0042',
  macAddress: '00:11:22:33:44:55',
  isAsked: true,
  credentials: 'accepted',
  streams: [STREAM],
  error: null,
};

/** Examples of a search for cameras. */
export const DISCOVERY_EXAMPLES: Examples = {
  DiscoveredStream: STREAM,
  DiscoveredCamera: CAMERA,
  Discovery: {
    id: ID.request,
    status: 'completed',
    network: '192.168.1.0/24',
    computeNodeId: ID.node,
    cameras: [CAMERA],
    refusedAnswers: 0,
    errorMessage: null,
    createdAt: TIME.stored,
    finishedAt: TIME.stored,
  },
  'POST /devices/discover': {
    network: '192.168.1.0/24',
    credentials: { username: 'operator', password: 'secret' },
  },
};
