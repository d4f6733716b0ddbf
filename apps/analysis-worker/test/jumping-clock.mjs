// Preloaded into a worker (--import): with SIGUSR2 its clock goes ahead by 800 days, with the next one it is right again.
const AHEAD_MS = 800 * 86_400_000;
const MachineDate = Date;
let ahead = 0;

process.on('SIGUSR2', () => {
  ahead = AHEAD_MS - ahead;
});

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [MachineDate.now() + ahead] : args, newTarget),
  get: (target, name, receiver) =>
    name === 'now' ? () => MachineDate.now() + ahead : Reflect.get(target, name, receiver),
});
