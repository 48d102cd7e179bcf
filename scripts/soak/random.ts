export const random = (below: number): number => Math.floor(Math.random() * below);
export const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
