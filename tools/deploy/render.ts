// `npm run deploy:render`: the kustomizations of k8s/kustomize, made from the Helm chart.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { program } from '../local/program.mjs';
import { chartDigest, findHelm, kustomize, overlays, renderChart } from './chart.ts';
import { base, overlay } from './kustomization.ts';
import { withoutHelm } from './manifests.ts';

function write(folder: string, files: Record<string, string>) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

await program(async () => {
  const helm = findHelm();
  if (!helm) throw new Failure('There is no helm on this machine. Install it, or set HELM to where it is.');
  const objects = withoutHelm(renderChart(helm));
  write(join(kustomize, 'base'), base(objects));
  for (const [name, values] of Object.entries(overlays)) {
    write(join(kustomize, 'overlays', name), overlay(objects, withoutHelm(renderChart(helm, values))));
  }
  writeFileSync(join(kustomize, 'chart.sha256'), `${chartDigest()}\n`);
  console.log(
    `Wrote k8s/kustomize: a base of ${objects.length} objects, and ${Object.keys(overlays).join(', ')}.`,
  );
});
