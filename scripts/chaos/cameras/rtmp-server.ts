/** An RTMP server: `rtmp-server.ts PORT`. */
// @ts-expect-error The package has no types.
import NodeMediaServer from 'node-media-server';

new NodeMediaServer({ bind: '127.0.0.1', rtmp: { port: Number(process.argv[2]) } }).run();
