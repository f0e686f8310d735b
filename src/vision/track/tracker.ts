import type { Box, Detection, Track } from '../types.ts';
import { Assignment } from './assignment.ts';
import { BoxFilter } from './kalman.ts';

export const DEFAULTS = {
  confidenceThreshold: 0.6,
  birthThreshold: 0.6,
  lowThreshold: 0.1,
  maxAgeSeconds: 5,
  confirmHits: 2,
  tentativeSeconds: 0.25,
  firstFrameConfirmed: true,
  gateHigh: 0.9,
  gateLow: 0.5,
  gateTentative: 0.7,
  gateRecover: 0.7,
  lowLostSeconds: 0.0,
  fuseScore: 1,
  expandBase: 0,
  expandSpread: 0,
  expandMax: 0.5,
  heightWeight: 0,
  directionWeight: 0,
  directionSeconds: 0.1,
  shapeWeight: 0,
  lostPenalty: 0,
  oru: true,
  outputFilter: 0,
  nsa: 0,
  dupIou: 0.85,
  birthIou: 1.1,
  boostIou: 2,
  measurementNoise: 0.05,
  positionNoise: 0.27,
  velocityNoise: 1,
  velocityMemorySeconds: 2,
  growthMemorySeconds: 0.5,
  birthSpeed: 1,
};
export type TrackerOptions = Partial<typeof DEFAULTS>;

class T {
  id = 0;
  confirmed = false;
  hits = 1;
  unseenSeconds = 0;
  lastBox: Box;
  lastMs: number;
  bornMs: number;
  score: number;
  classId: number;
  filter: BoxFilter;
  saved: BoxFilter;
  missed = 0;
  hist: { t: number; x: number; y: number }[] = [];
  dirX = 0;
  dirY = 0;
  left = 0;
  top = 0;
  right = 0;
  bottom = 0;
  rem = false;
  constructor(o: typeof DEFAULTS, d: Detection, ms: number) {
    this.lastBox = d.box;
    this.lastMs = ms;
    this.bornMs = ms;
    this.score = d.score;
    this.classId = d.classId;
    this.filter = new BoxFilter(o, d.box);
    this.saved = new BoxFilter(o, d.box);
    this.hist.push({ t: ms, x: (d.box.left + d.box.right) / 2, y: (d.box.top + d.box.bottom) / 2 });
    this.place();
  }
  place() {
    const f = this.filter;
    this.left = f.x - f.width / 2;
    this.right = f.x + f.width / 2;
    this.top = f.y - f.height / 2;
    this.bottom = f.y + f.height / 2;
  }
}

function iouOf(l: number, t: number, r: number, b: number, o: Box, e: number, hw: number): number {
  const l2 = o.left,
    r2 = o.right,
    t2 = o.top,
    b2 = o.bottom;
  const ew1 = (r - l) * e,
    eh1 = (b - t) * e,
    ew2 = (r2 - l2) * e,
    eh2 = (b2 - t2) * e;
  const w = Math.min(r + ew1, r2 + ew2) - Math.max(l - ew1, l2 - ew2);
  if (w <= 0) return 0;
  const h = Math.min(b + eh1, b2 + eh2) - Math.max(t - eh1, t2 - eh2);
  if (h <= 0) return 0;
  const k = 1 + 2 * e;
  const a1 = (r - l) * (b - t) * k * k,
    a2 = (r2 - l2) * (b2 - t2) * k * k;
  let iou = (w * h) / (a1 + a2 - w * h);
  if (hw > 0) {
    const un = Math.max(b + eh1, b2 + eh2) - Math.min(t - eh1, t2 - eh2);
    iou *= (h / un) ** hw;
  }
  return iou;
}

export class Tracker {
  o: typeof DEFAULTS;
  a = new Assignment();
  tracks: T[] = [];
  nextId = 1;
  lastMs: number | null = null;
  cost = new Float64Array(4096);
  constructor(options: TrackerOptions = {}) {
    this.o = { ...DEFAULTS, ...options };
  }
  reset() {
    this.tracks = [];
    this.nextId = 1;
    this.lastMs = null;
  }

  match(
    ts: T[],
    ds: Detection[],
    gate: number,
    mode: 'high' | 'low' | 'tent' | 'recover',
    hit: (t: T, d: Detection) => void,
  ): [T[], Detection[]] {
    if (!ts.length || !ds.length) return [ts, ds];
    const o = this.o,
      n = ds.length;
    if (this.cost.length < ts.length * n) this.cost = new Float64Array(2 * ts.length * n);
    const c = this.cost;
    for (let i = 0; i < ts.length; i++) {
      const t = ts[i]!;
      const e = Math.min(
        o.expandMax,
        o.expandBase + (o.expandSpread * (t.filter.spreadX + t.filter.spreadY)) / 2,
      );
      for (let j = 0; j < n; j++) {
        const d = ds[j]!;
        const b = mode === 'recover' ? t.lastBox : null;
        const iou = b
          ? iouOf(b.left, b.top, b.right, b.bottom, d.box, e, o.heightWeight)
          : iouOf(t.left, t.top, t.right, t.bottom, d.box, e, o.heightWeight);
        if (iou < 1e-3) {
          c[i * n + j] = 10;
          continue;
        }
        let sim = iou;
        if (mode !== 'low' && o.fuseScore > 0) sim *= d.score ** o.fuseScore;
        let cost = 1 - sim;
        if (o.shapeWeight > 0) {
          const w = d.box.right - d.box.left,
            h = d.box.bottom - d.box.top;
          cost +=
            o.shapeWeight *
            (1 -
              Math.exp(
                -(
                  Math.abs(w - t.filter.width) / Math.max(w, t.filter.width) +
                  Math.abs(h - t.filter.height) / Math.max(h, t.filter.height)
                ),
              ));
        }
        if (o.directionWeight > 0 && mode === 'high' && (t.dirX || t.dirY)) {
          const x = (d.box.left + d.box.right) / 2 - (t.lastBox.left + t.lastBox.right) / 2;
          const y = (d.box.top + d.box.bottom) / 2 - (t.lastBox.top + t.lastBox.bottom) / 2;
          const sx = x / t.filter.width,
            sy = y / t.filter.height;
          const norm = Math.hypot(sx, sy);
          if (norm > 1e-6) {
            const cos = (sx * t.dirX + sy * t.dirY) / norm;
            cost += o.directionWeight * (Math.acos(Math.max(-1, Math.min(1, cos))) / Math.PI - 0.5) * d.score;
          }
        }
        if (o.lostPenalty > 0) cost += o.lostPenalty * Math.min(1, t.unseenSeconds);
        c[i * n + j] = cost;
      }
    }
    const found = this.a.solve(c, ts.length, n, gate);
    const rt: T[] = [];
    const used = new Uint8Array(n);
    for (let i = 0; i < ts.length; i++) {
      const j = found[i]!;
      if (j < 0) {
        rt.push(ts[i]!);
        continue;
      }
      used[j] = 1;
      hit(ts[i]!, ds[j]!);
    }
    return [rt, ds.filter((_, j) => !used[j])];
  }

  update(detections: readonly Detection[], timeMs: number): Track[] {
    const o = this.o;
    const first = this.lastMs === null;
    const dt = first ? 0 : (timeMs - this.lastMs!) / 1000;
    this.lastMs = timeMs;
    for (const t of this.tracks) {
      t.filter.predict(dt);
      t.place();
    }
    const high: Detection[] = [],
      low: Detection[] = [];
    for (const d of detections) {
      if (d.score >= o.confidenceThreshold) high.push(d);
      else if (d.score >= o.lowThreshold) {
        if (
          o.boostIou < 1 &&
          this.tracks.some(
            (t) => t.confirmed && iouOf(t.left, t.top, t.right, t.bottom, d.box, 0, 0) > o.boostIou,
          )
        )
          high.push(d);
        else low.push(d);
      }
    }
    const seen: { t: T; d: Detection }[] = [];
    const hit = (t: T, d: Detection) => {
      this.hit(t, d, timeMs);
      seen.push({ t, d });
    };
    const conf = this.tracks.filter((t) => t.confirmed),
      tent = this.tracks.filter((t) => !t.confirmed);
    let [rest, dets] = this.match(conf, high, o.gateHigh, 'high', hit);
    const recent = rest.filter((t) => t.unseenSeconds <= o.lowLostSeconds);
    const older = rest.filter((t) => t.unseenSeconds > o.lowLostSeconds);
    const [rest2, lowLeft] = this.match(recent, low, o.gateLow, 'low', hit);
    rest = [...rest2, ...older];
    [rest, dets] = this.match(rest, dets, o.gateRecover, 'recover', hit);
    let tentRest: T[];
    [tentRest, dets] = this.match(tent, dets, o.gateTentative, 'tent', hit);
    [tentRest] = this.match(tentRest, lowLeft, o.gateLow, 'low', hit);
    for (const t of rest) {
      t.unseenSeconds += dt;
      t.missed++;
      if (t.unseenSeconds > o.maxAgeSeconds) t.rem = true;
    }
    for (const t of tentRest) {
      t.unseenSeconds += dt;
      t.missed++;
      if (t.unseenSeconds > o.tentativeSeconds) t.rem = true;
    }
    for (const d of dets) {
      if (d.score < o.birthThreshold) continue;
      if (
        o.birthIou < 1 &&
        seen.some(
          ({ t }) =>
            t.confirmed &&
            iouOf(t.lastBox.left, t.lastBox.top, t.lastBox.right, t.lastBox.bottom, d.box, 0, 0) > o.birthIou,
        )
      )
        continue;
      const t = new T(o, d, timeMs);
      if (first && o.firstFrameConfirmed) {
        t.confirmed = true;
        t.id = this.nextId++;
      }
      this.tracks.push(t);
      seen.push({ t, d });
    }
    if (o.dupIou < 1)
      for (const a of this.tracks)
        for (const b of this.tracks) {
          if (a === b || a.rem || b.rem || a.bornMs > b.bornMs) continue;
          if (!(a.confirmed && b.confirmed)) continue;
          if (a.unseenSeconds > 0 === b.unseenSeconds > 0) continue;
          if (
            iouOf(
              a.left,
              a.top,
              a.right,
              a.bottom,
              { left: b.left, right: b.right, top: b.top, bottom: b.bottom },
              0,
              0,
            ) > o.dupIou
          )
            (a.lastMs - a.bornMs > b.lastMs - b.bornMs ? b : a).rem = true;
        }
    this.tracks = this.tracks.filter((t) => !t.rem);
    return seen
      .filter(({ t }) => t.confirmed && !t.rem)
      .map(({ t, d }) => {
        const k = o.outputFilter;
        return {
          id: t.id,
          score: d.score,
          classId: t.classId,
          bornMs: t.bornMs,
          timeMs,
          box: {
            left: t.left * k + d.box.left * (1 - k),
            top: t.top * k + d.box.top * (1 - k),
            right: t.right * k + d.box.right * (1 - k),
            bottom: t.bottom * k + d.box.bottom * (1 - k),
          },
        };
      });
  }

  hit(t: T, d: Detection, ms: number) {
    const o = this.o;
    const noise = o.nsa > 0 ? Math.max(0.05, (1 - d.score) * o.nsa) : 1;
    if (t.missed > 0 && o.oru) {
      const n = Math.min(30, t.missed + 1),
        dt = (ms - t.lastMs) / 1000 / n;
      t.filter.copyFrom(t.saved);
      for (let k = 1; k <= n; k++) {
        t.filter.predict(dt);
        const f = k / n,
          g = 1 - f,
          a = t.lastBox,
          b = d.box;
        t.filter.correct(
          {
            left: a.left * g + b.left * f,
            top: a.top * g + b.top * f,
            right: a.right * g + b.right * f,
            bottom: a.bottom * g + b.bottom * f,
          },
          noise,
        );
      }
    } else t.filter.correct(d.box, noise);
    t.saved.copyFrom(t.filter);
    t.place();
    t.missed = 0;
    t.unseenSeconds = 0;
    t.lastBox = d.box;
    t.lastMs = ms;
    t.score = d.score;
    t.classId = d.classId;
    const x = (d.box.left + d.box.right) / 2,
      y = (d.box.top + d.box.bottom) / 2;
    while (t.hist.length > 1 && ms - t.hist[1]!.t >= o.directionSeconds * 1000 - 1) t.hist.shift();
    const from = t.hist[0]!;
    const dx = (x - from.x) / t.filter.width,
      dy = (y - from.y) / t.filter.height,
      norm = Math.hypot(dx, dy);
    if (norm > 0.0) {
      t.dirX = dx / norm;
      t.dirY = dy / norm;
    }
    t.hist.push({ t: ms, x, y });
    t.hits++;
    if (!t.confirmed && t.hits >= o.confirmHits) {
      t.confirmed = true;
      t.id = this.nextId++;
    }
  }
}
