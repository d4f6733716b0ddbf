// @ts-check
// Preloaded into a service (--import): its clock goes ahead of the machine's by CLOCK_SHIFT_MS.
const ahead = Number(process.env['CLOCK_SHIFT_MS']);
if (!Number.isFinite(ahead)) throw new RangeError('CLOCK_SHIFT_MS is missing');
const MachineDate = Date;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [MachineDate.now() + ahead] : args, newTarget),
  apply: () => new MachineDate(MachineDate.now() + ahead).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => MachineDate.now() + ahead : Reflect.get(target, name, receiver),
});
