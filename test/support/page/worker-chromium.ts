import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../../scripts/page/chromium.ts';

/** Names of hosts that lead the browser to this machine: by plain http none is a secure context, unlike 127.0.0.1. */
export const LAN_HOST = 'shop.lan';
export const OTHER_HOST = 'elsewhere.example';
const FLAGS = [
  // Pages of tests live for seconds: what V8 spends on optimized code is not won back (a ninth of Chromium's processor time).
  '--js-flags=--no-opt',
  `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1, MAP ${OTHER_HOST} 127.0.0.1`,
];

let browser: Promise<Browser> | undefined;

/**
 * The Chromium of all test files of this process: starting and warming one up takes a second. One that has failed or has
 * ended fails every file after it. It ends with this process, however that ends: its commands come through a pipe that
 * only this process holds.
 */
export function workerChromium(): Promise<Browser> {
  browser ??= start();
  return browser;
}

/** Playwright does not name the process, and what it holds open would keep this one alive after its last test file. */
async function start(): Promise<Browser> {
  const started: ChildProcess[] = [];
  const note = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', note);
  try {
    return await startChromium({ flags: FLAGS });
  } finally {
    unsubscribe('child_process', note);
    for (const child of started.filter(({ spawnargs }) => spawnargs.includes('--remote-debugging-pipe'))) {
      child.unref();
      // Pipes are sockets, which the types do not say.
      for (const pipe of child.stdio as ({ unref?(): void } | null)[]) pipe?.unref?.();
    }
  }
}
