import { useEffect, useState, useSyncExternalStore } from 'react';
import { newVersion, reloadOnce } from '../shell/new-version.ts';
import { untilNight } from './night.ts';

/** Keeps the screen on while the wall is visible, where the browser can: not over plain http. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let hasEnded = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // Refused with an empty battery: then the screen may go dark.
      const got = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (hasEnded) await got?.release();
      else lock = got;
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      hasEnded = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}

/** Loads the wall again each night, and at a new version of the page. */
export function useReloads(): void {
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), untilNight(new Date(), Math.random()));
    const unwatch = newVersion.subscribe(() => {
      if (newVersion.get()) reloadOnce('version');
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, []);
}

const HIDE_AFTER_MS = 4_000;

/** Whether somebody has just moved the mouse, touched the screen or pressed a key: then the controls are shown. */
export function useIsTouched(): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const touched = () => {
      setTouched(true);
      clearTimeout(timer);
      timer = setTimeout(() => setTouched(false), HIDE_AFTER_MS);
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) addEventListener(event, touched);
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, touched);
    };
  }, []);
  return isTouched;
}

const subscribeToSize = (listener: () => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};

/** Width and height of the window, as `1920x1080`. */
export const useWindowSize = (): string =>
  useSyncExternalStore(subscribeToSize, () => `${innerWidth}x${innerHeight}`);
