// @ts-check
/** @typedef {import('./manifests.mjs').Manifest} Manifest */

/**
 * A promise about the rendered objects, and what breaks it.
 * @typedef {{
 *   title: string,
 *   applies: (object: Manifest) => boolean,
 *   faults: (object: Manifest, all: Manifest[]) => string[],
 * }} Rule
 */

/** @param {Manifest} object */
const podOf = (object) => (object.kind === 'Pod' ? object['spec'] : object['spec']?.template?.spec);
/** @param {Manifest} object */
const labelsOf = (object) =>
  (object.kind === 'Pod' ? object.metadata.labels : object['spec']?.template?.metadata?.labels) ?? {};
/** @param {Manifest} object */
const hasPods = (object) => ['Deployment', 'Job', 'Pod', 'StatefulSet', 'CronJob'].includes(object.kind);
/** @param {any} pod @returns {any[]} */
const containers = (pod) => [...(pod.initContainers ?? []), ...pod.containers];
/** @param {Record<string, string>} selector @param {Record<string, string>} labels */
const selects = (selector, labels) =>
  Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);
/** @param {Manifest} object */
const hookOf = (object) => object.metadata.annotations?.['helm.sh/hook'];
/** @param {Manifest} object */
const weightOf = (object) => Number(object.metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
/** @param {Manifest} object The long-running services, whose pods others call or queue work for. */
const isService = (object) =>
  object.kind === 'Deployment' && podOf(object).containers.some((/** @type {any} */ c) => c.readinessProbe);

/** @param {(pod: any) => (string | false | undefined)[]} check @returns {Rule['faults']} */
const onPod = (check) => (object) => check(podOf(object)).filter((fault) => typeof fault === 'string');
/** @param {(container: any) => (string | false | undefined)[]} check */
const onContainers = (check) =>
  onPod((pod) =>
    containers(pod).flatMap((container) =>
      check(container).map((fault) => fault && `container ${container.name}: ${fault}`),
    ),
  );

/** A variable or an argument that looks like a secret, or a URL with a password. */
const secretName =
  /(PASSWORD|SECRET|TOKEN|API_KEY|CREDENTIALS|DATABASE_URL|REPLICA_URL|REDIS_URL|REDIS_SENTINELS|SMTP_URL)$/;
const passwordInUrl = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/** What is no address of the public Internet: private networks, those of providers, and metadata services. */
const privateRanges = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
const tls = [443, 8443];

/**
 * Webhooks go wherever a customer's server is: the worker alone may reach the public Internet, over TLS, and nothing private.
 * @param {Manifest} object @param {any} rule Of its egress. @param {any} block An address block of it.
 */
const isForWebhooks = (object, rule, block) =>
  labelsOf(object)['app.kubernetes.io/component'] === 'analysis-worker' &&
  rule.ports?.every((/** @type {any} */ { port }) => tls.includes(port)) &&
  privateRanges.every((range) => block.except?.includes(range));

/** @param {Manifest} object @param {any} rule Of its egress. */
const reachesEverything = (object, rule) =>
  (rule.to ?? []).some(
    (/** @type {any} */ { ipBlock }) =>
      ['0.0.0.0/0', '::/0'].includes(ipBlock?.cidr) && !isForWebhooks(object, rule, ipBlock),
  );

/** @type {Rule[]} */
export const rules = [
  {
    title: 'pods meet the restricted profile of pod security',
    applies: hasPods,
    faults: onPod((pod) => [
      pod.securityContext?.runAsNonRoot !== true && 'runAsNonRoot is not true',
      pod.securityContext?.runAsUser === 0 && 'runs as user 0',
      pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'no seccomp profile',
      (pod.hostNetwork || pod.hostPID || pod.hostIPC) && 'uses the namespaces of its host',
      (pod.volumes ?? []).some((/** @type {any} */ volume) => volume.hostPath) &&
        'mounts a folder of its host',
      ...containers(pod).flatMap(({ name, securityContext: context = {}, ports = [] }) =>
        [
          context.allowPrivilegeEscalation !== false && 'may gain privileges',
          context.privileged && 'is privileged',
          context.capabilities?.drop?.includes('ALL') !== true && 'keeps capabilities',
          (context.capabilities?.add ?? []).length > 0 && 'adds capabilities',
          context.runAsNonRoot === false && 'may run as root',
          ports.some((/** @type {any} */ port) => port.hostPort) && 'takes a port of its host',
        ].map((fault) => fault && `container ${name} ${fault}`),
      ),
    ]),
  },
  {
    title: 'containers write nothing to their image',
    applies: hasPods,
    faults: onContainers(({ securityContext }) => [
      securityContext?.readOnlyRootFilesystem !== true && 'its root file system is writable',
    ]),
  },
  {
    title: 'pods hold no token of the cluster',
    applies: hasPods,
    faults: onPod((pod) => [pod.automountServiceAccountToken !== false && 'mounts a service account token']),
  },
  {
    title: 'containers ask for what they need and cannot take all memory',
    applies: hasPods,
    faults: onContainers(({ resources }) => [
      !resources?.requests?.cpu && 'requests no CPU',
      !resources?.requests?.memory && 'requests no memory',
      !resources?.limits?.memory && 'has no limit of memory',
    ]),
  },
  {
    title: 'images are named with a tag that is not latest',
    applies: hasPods,
    faults: onContainers(({ image }) => [!/:(?!latest$)[\w.-]+$/.test(image) && `image ${image}`]),
  },
  {
    title: 'secrets come by reference',
    applies: () => true,
    faults: (object) => [
      ...(object.kind === 'Secret' ? ['is a Secret'] : []),
      ...(passwordInUrl.test(JSON.stringify(object)) ? ['holds a URL with a password'] : []),
      ...(hasPods(object) ? containers(podOf(object)) : []).flatMap((/** @type {any} */ container) =>
        (container.env ?? [])
          .filter((/** @type {any} */ variable) => secretName.test(variable.name) && !variable.valueFrom)
          .map((/** @type {any} */ variable) => `variable ${variable.name} is a literal`),
      ),
    ],
  },
  {
    title: 'liveness touches nothing, readiness asks, and they differ',
    applies: isService,
    faults: onContainers(({ livenessProbe, readinessProbe, startupProbe }) => [
      livenessProbe?.httpGet?.path !== '/livez' && 'liveness is not /livez',
      readinessProbe?.httpGet?.path !== '/readyz' && 'readiness is not /readyz',
      !startupProbe && 'has no startup probe',
      livenessProbe?.httpGet?.port !== 'management' && 'is probed on a public port',
    ]),
  },
  {
    title: 'a stop leaves time to drain',
    applies: isService,
    faults: onPod((pod) => {
      const delay =
        pod.containers[0].env.find((/** @type {any} */ v) => v.name === 'DRAIN_DELAY_MS')?.value ?? 0;
      return [
        pod.terminationGracePeriodSeconds * 1_000 < Number(delay) + 20_000 &&
          'is killed before it has drained',
        pod.containers[0].ports.some((/** @type {any} */ p) => p.name === 'http') &&
          Number(delay) < 5_000 &&
          'stops before load balancers know',
      ];
    }),
  },
  {
    title: 'an upgrade takes no pod away before the next is ready',
    applies: isService,
    faults: (object) =>
      object['spec'].strategy?.rollingUpdate?.maxUnavailable === 0 ? [] : ['may have fewer pods than before'],
  },
  ...[
    { kind: 'PodDisruptionBudget', what: 'disruption budget' },
    { kind: 'HorizontalPodAutoscaler', what: 'autoscaler' },
  ].map(({ kind, what }) => ({
    title: `every service has a ${what}`,
    applies: isService,
    /** @type {Rule['faults']} */
    faults: (object, all) =>
      all.some(
        (other) =>
          other.kind === kind &&
          (kind === 'PodDisruptionBudget'
            ? selects(other['spec'].selector.matchLabels, labelsOf(object))
            : other['spec'].scaleTargetRef.name === object.metadata.name),
      )
        ? []
        : [`has no ${what}`],
  })),
];

/**
 * Promises about the network, which an installation may leave to others.
 * @type {Rule[]}
 */
export const networkRules = [
  {
    title: 'what no policy names is denied',
    applies: hasPods,
    faults: (object, all) => {
      const denial = policiesOf(object, all).find(
        ({ spec }) => spec.policyTypes?.length === 2 && !spec.ingress && !spec.egress,
      );
      return denial ? [] : ['is under no policy that denies everything'];
    },
  },
  {
    title: 'pods of a hook are under policies of that hook, which come before them',
    applies: (object) => hasPods(object) && hookOf(object) !== undefined,
    faults: (object, all) => {
      const early = policiesOf(object, all).filter(
        (policy) => hookOf(policy) === hookOf(object) && weightOf(policy) < weightOf(object),
      );
      return early.length > 0 ? [] : ['runs before its policies are there, or under old ones'];
    },
  },
  {
    title: 'egress names its ports and its destinations',
    applies: hasPods,
    faults: (object, all) => {
      const egress = policiesOf(object, all).flatMap(({ spec }) => spec.egress ?? []);
      return [
        ...(egress.length === 0 ? ['may reach nothing'] : []),
        ...egress.flatMap((rule) => [
          ...(rule.ports?.length > 0 ? [] : ['may reach any port']),
          ...(rule.to?.length > 0 ? [] : ['may reach any address']),
          ...(reachesEverything(object, rule) ? ['may reach the whole internet'] : []),
        ]),
      ];
    },
  },
  {
    title: 'the management port is for named callers',
    applies: isService,
    faults: (object, all) => {
      const open = policiesOf(object, all)
        .flatMap(({ spec }) => spec.ingress ?? [])
        .filter(
          (rule) => !rule.ports || rule.ports.some((/** @type {any} */ port) => port.port === 'management'),
        )
        .filter((rule) => !(rule.from?.length > 0));
      return open.length > 0 ? ['lets anybody read its management port'] : [];
    },
  },
];

/** @param {Manifest} object @param {Manifest[]} all @returns {Manifest[]} */
function policiesOf(object, all) {
  return all.filter(
    (other) =>
      other.kind === 'NetworkPolicy' && selects(other['spec'].podSelector.matchLabels, labelsOf(object)),
  );
}

/** @param {Manifest[]} all Promises about the objects as a whole. */
function wholeFaults(all) {
  const jobs = all.filter((object) => object.kind === 'Job');
  const migrates = jobs.some((job) => podOf(job).containers[0].args?.[0] === 'migrate');
  return [...(migrates ? [] : ['no Job migrates the database']), ...hostFaults(all)];
}

/** @param {Manifest[]} all Agents are refused under a name that the gateway does not know for its own. */
function hostFaults(all) {
  const gateways = all.filter((object) => object.metadata.name.endsWith('-mcp-gateway'));
  const wanted = gateways.flatMap(({ kind, metadata, spec }) => {
    // The second is what NOTES.txt prints.
    if (kind === 'Service') return [metadata.name, `${metadata.name}.$(POD_NAMESPACE)`];
    if (kind === 'Ingress') return spec.rules.map((/** @type {any} */ rule) => rule.host);
    return kind === 'HTTPRoute' ? spec.hostnames : [];
  });
  const deployment = gateways.find(({ kind }) => kind === 'Deployment');
  const known = deployment
    ? podOf(deployment)
        .containers[0].env.find((/** @type {any} */ variable) => variable.name === 'MCP_PUBLIC_HOSTS')
        ?.value.split(',')
    : wanted;
  return wanted
    .filter((host) => !known?.includes(host))
    .map((host) => `the MCP gateway refuses agents that know it as ${host}`);
}

/**
 * @param {Manifest[]} objects
 * @param {Rule[]} [which]
 * @returns {string[]} One line per broken promise; empty where all hold.
 */
export function check(objects, which = [...rules, ...networkRules]) {
  const faults = objects.flatMap((object) =>
    which
      .filter((rule) => rule.applies(object))
      .flatMap((rule) =>
        rule
          .faults(object, objects)
          .map((fault) => `${object.kind} ${object.metadata.name}: ${fault} (${rule.title})`),
      ),
  );
  return [...faults, ...wholeFaults(objects)];
}
