// What `npm run` preloads before a program of ours: TypeScript, and a watch on npm. A program that is started directly
// (by systemd, Docker or nohup) does not load this file.
import 'tsx';

const LOOK_EVERY_MS = 500;

// `exec` in package.json makes npm the parent. npm forwards SIGTERM, but it cannot forward a SIGKILL of its own.
const npm = process.ppid;
const look = setInterval(() => {
  if (process.ppid === npm) return;
  clearInterval(look);
  process.kill(process.pid, 'SIGTERM');
}, LOOK_EVERY_MS);
look.unref();
