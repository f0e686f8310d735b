/** A client whose process is killed at its `at`th call: neither this nor a later one does anything. */
export function killedAt<Target extends object>(target: Target, calls: { left: number }): Target {
  return new Proxy(target, {
    get(object, name) {
      const value = Reflect.get(object, name) as unknown;
      if (typeof value === 'function')
        return (...given: unknown[]) => {
          calls.left -= 1;
          if (calls.left < 0) return Promise.reject(new Error('killed'));
          return (value as (...args: unknown[]) => unknown).apply(object, given);
        };
      return typeof value === 'object' && value !== null ? killedAt(value, calls) : value;
    },
  });
}
