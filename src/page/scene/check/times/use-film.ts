import { useEffect, useRef, useState } from 'react';
import type { Check } from '../checks.ts';
import { picturesOf } from './marking.ts';

type Film = NonNullable<Check['film']>;

/** Pieces that are read before they are shown. */
const AHEAD = 2;
/** Pieces that are kept behind. */
const BEHIND = 3;

const addressOf = (checkId: string, { recordingId, from, pieceSeconds, seconds }: Film, piece: number) => {
  if (recordingId === null) return `api/v1/checks/${checkId}/film?piece=${piece}`;
  const at = piece * pieceSeconds;
  const length = Math.max(0.5, Math.min(pieceSeconds, seconds - at));
  return `api/v1/recordings/${recordingId}/film?from=${from + at}&seconds=${length}&checkId=${checkId}`;
};

export interface Player {
  readonly second: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** The pictures at this time have not come yet. */
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  /** The time now: `second` is that of the last drawing. */
  readonly now: () => number;
  readonly play: (isPlaying: boolean) => void;
  readonly setSpeed: (speed: number) => void;
  readonly seek: (second: number) => void;
  readonly canvas: React.RefObject<HTMLCanvasElement | null>;
}

/** Plays the film of a check on a canvas; it waits where pictures have not come yet. */
export function useFilm(checkId: string, film: Film): Player {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pieces = useRef(new Map<number, Blob[] | 'loading'>());
  const at = useRef(0);
  const shown = useRef<Blob | null>(null);
  const [second, setSecond] = useState(0);
  const [isPlaying, play] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [isLoading, setLoading] = useState(true);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const ending = new AbortController();
    const load = async (piece: number) => {
      pieces.current.set(piece, 'loading');
      try {
        const response = await fetch(addressOf(checkId, film, piece), { signal: ending.signal });
        if (!response.ok && response.status !== 429) throw new Error(`status ${response.status}`);
        // Too many at once: it is asked for again.
        if (response.status === 429) return void pieces.current.delete(piece);
        pieces.current.set(piece, picturesOf(new Uint8Array(await response.arrayBuffer())));
        setFailed(false);
      } catch {
        if (ending.signal.aborted) return;
        setFailed(true);
        setTimeout(() => pieces.current.delete(piece), 2_000);
      }
    };
    const wanted = (piece: number) => {
      const last = Math.ceil(film.seconds / film.pieceSeconds) - 1;
      for (let each = piece; each <= Math.min(last, piece + AHEAD); each++)
        if (!pieces.current.has(each)) void load(each);
      for (const each of pieces.current.keys())
        if (each < piece - BEHIND || each > piece + 2 * AHEAD) pieces.current.delete(each);
    };
    let before = performance.now();
    const turn = () => {
      const nowMs = performance.now();
      const piece = Math.min(
        Math.floor(at.current / film.pieceSeconds),
        Math.ceil(film.seconds / film.pieceSeconds) - 1,
      );
      wanted(piece);
      const pictures = pieces.current.get(piece);
      const isReady = pictures !== undefined && pictures !== 'loading';
      setLoading(!isReady);
      if (isReady) {
        if (isPlaying) at.current = Math.min(film.seconds, at.current + ((nowMs - before) / 1000) * speed);
        const slot = Math.floor((at.current - piece * film.pieceSeconds) * film.fps);
        const picture = pictures[Math.min(Math.max(0, slot), pictures.length - 1)] ?? null;
        if (picture !== shown.current) {
          shown.current = picture;
          void draw(canvas.current, picture, () => shown.current === picture);
        }
        if (at.current >= film.seconds) play(false);
      }
      before = nowMs;
      setSecond(at.current);
    };
    const timer = setInterval(turn, 1000 / film.fps / 4);
    turn();
    return () => {
      ending.abort();
      clearInterval(timer);
      for (const [piece, each] of pieces.current) if (each === 'loading') pieces.current.delete(piece);
    };
  }, [checkId, film, isPlaying, speed]);

  return {
    ...{ second, isPlaying, speed, isLoading, hasFailed, play, setSpeed, canvas },
    now: () => at.current,
    seek: (next) => {
      at.current = Math.min(film.seconds, Math.max(0, next));
      setSecond(at.current);
    },
  };
}

async function draw(canvas: HTMLCanvasElement | null, picture: Blob | null, isWanted: () => boolean) {
  const pen = canvas?.getContext('2d');
  if (!canvas || !pen) return;
  if (!picture) return pen.clearRect(0, 0, canvas.width, canvas.height);
  const bitmap = await createImageBitmap(picture).catch(() => null);
  if (bitmap && isWanted()) {
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    pen.drawImage(bitmap, 0, 0);
  }
  bitmap?.close();
}
