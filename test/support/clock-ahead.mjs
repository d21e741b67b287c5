/** Loaded into a server: its clock is a minute ahead of that of the machine. */
const ahead = 60_000;
const Now = globalThis.Date;

globalThis.Date = new Proxy(Now, {
  construct: (target, parts, made) => Reflect.construct(target, parts.length === 0 ? [Now.now() + ahead] : parts, made),
  get: (target, name) => (name === 'now' ? () => Now.now() + ahead : Reflect.get(target, name)),
});
