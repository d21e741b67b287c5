/** `1 route`, `1,200 routes`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
