import { FEATURES } from '../../src/billing/features.ts';
import { periodOf, previousPeriod } from '../../src/billing/period.ts';
import type { Feature } from '../../src/platform/prisma-client/client.ts';

export interface Counter {
  limit: number;
  used: number;
  isUnlimited: boolean;
}

type Scope = 'user' | 'device';

/** The shortest description of billing: one user and one device in memory. */
export class LedgerModel {
  readonly counters = new Map<string, Counter>();
  /** Events that were emitted to the user. */
  readonly told: string[] = [];
  readonly #bases = new Map<string, number | null>();
  readonly #charges = new Map<
    string,
    { feature: Feature; quantity: number; period: string; device: boolean }
  >();
  readonly #returned = new Set<string>();
  readonly #topUps = new Set<string>();
  readonly #finished: string[];

  /** @param since the first month of the user; @param bases limits by scope and feature, null means unlimited */
  constructor(since: string, bases: ReadonlyMap<string, number | null>) {
    this.#finished = [previousPeriod(since)];
    for (const [key, limit] of bases) this.#bases.set(key, limit);
  }

  charge(feature: Feature, sourceId: string, about: { quantity: number; at: Date; device: boolean }): string {
    const key = `${feature} ${sourceId}`;
    if (this.#charges.has(key)) return 'repeated';
    const { quantity, device, at } = about;
    const period = periodOf(at);
    const scopes: Scope[] = device ? ['user', 'device'] : ['user'];
    for (const scope of scopes) {
      const { isUnlimited, used, limit } = this.#peek(scope, period, feature);
      if (feature === 'alert' || isUnlimited || used + quantity <= limit) continue;
      return `refused by ${scope}, ${Math.max(0, limit - used)} left`;
    }
    for (const scope of scopes) this.#move(scope, period, feature, (counter) => (counter.used += quantity));
    this.#charges.set(key, { feature, quantity, period, device });
    return 'charged';
  }

  rollBack(feature: Feature, sourceId: string, quantity: number): boolean {
    const key = `${feature} ${sourceId}`;
    const charged = this.#charges.get(key);
    if (!charged || this.#returned.has(key)) return false;
    const { period, device } = charged;
    this.#returned.add(key);
    for (const scope of device ? (['user', 'device'] as const) : (['user'] as const)) {
      this.#move(scope, period, feature, (counter) => (counter.used -= quantity));
    }
    return true;
  }

  chargedQuantity = (feature: Feature, sourceId: string): number =>
    this.#charges.get(`${feature} ${sourceId}`)?.quantity ?? 0;

  topUp(scope: Scope, feature: Feature, about: { amount: number; reference: string; now: Date }): void {
    const { amount, reference, now } = about;
    const counter = this.#open(scope, periodOf(now), feature);
    const key = `${scope} ${feature} ${reference}`;
    if (this.#topUps.has(key)) return;
    this.#topUps.add(key);
    counter.limit += amount;
    this.#tell(scope, periodOf(now), feature);
  }

  override(scope: Scope, feature: Feature, { limit, now }: { limit: number | null; now: Date }): void {
    const counter = this.#open(scope, periodOf(now), feature);
    this.#bases.set(`${scope} ${feature}`, limit);
    counter.isUnlimited = limit === null;
    counter.limit = limit ?? counter.limit;
    this.#tell(scope, periodOf(now), feature);
  }

  /** The change of month at this time. */
  changeMonth(now: Date): void {
    // As in the database: a device is opened when a limit of its own has no counter yet.
    const isLimited = FEATURES.some(
      (feature) =>
        this.#bases.has(`device ${feature}`) && !this.counters.has(`device ${periodOf(now)} ${feature}`),
    );
    for (const feature of FEATURES) {
      this.#open('user', periodOf(now), feature);
      // A device without any limit of its own is opened by its first charge.
      if (isLimited) this.#open('device', periodOf(now), feature);
    }
    const settled = periodOf(new Date(now.getTime() - 5 * 60_000));
    for (;;) {
      const last = this.#finished.at(-1)!;
      const next = periodOf(new Date(Date.parse(`${last}-28T00:00:00Z`) + 5 * 86_400_000));
      if (next >= settled) return;
      this.#finished.push(next);
      const used = FEATURES.map((feature) => this.counters.get(`user ${next} ${feature}`)?.used ?? 0);
      this.told.push(`billing_cycle_completed ${next} ${used.join(' ')}`);
    }
  }

  /** A counter as a charge would see it; a refused charge opens nothing. */
  #peek(scope: Scope, period: string, feature: Feature): Counter {
    const base = this.#bases.get(`${scope} ${feature}`) ?? null;
    return (
      this.counters.get(`${scope} ${period} ${feature}`) ?? {
        limit: base ?? 0,
        used: 0,
        isUnlimited: base === null,
      }
    );
  }

  #open(scope: Scope, period: string, feature: Feature): Counter {
    const counter = this.#peek(scope, period, feature);
    this.counters.set(`${scope} ${period} ${feature}`, counter);
    return counter;
  }

  #move(scope: Scope, period: string, feature: Feature, change: (counter: Counter) => void): void {
    change(this.#open(scope, period, feature));
    this.#tell(scope, period, feature);
  }

  /** The thresholds that a counter has reached, each emitted once. */
  #tell(scope: Scope, period: string, feature: Feature): void {
    const { used, limit, isUnlimited } = this.#peek(scope, period, feature);
    if (isUnlimited || used === 0) return;
    const marks = [used * 100 >= limit * 80 && 'quota_warning', used >= limit && 'quota_exceeded'];
    for (const mark of marks) {
      const event = `${mark} ${scope} ${period} ${feature}`;
      if (mark && !this.told.includes(event)) this.told.push(event);
    }
  }
}
