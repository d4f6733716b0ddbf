{{/* What the restricted profile of pod security asks of a pod, and a little more. */}}
{{- define "outcomes.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "outcomes.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* A variable from a Secret that exists already: dict "name" variable "secret" name "key" key. */}}
{{- define "outcomes.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end -}}

{{/* Variables of every service: dict "root" $ "app" name "settings" its values. */}}
{{- define "outcomes.serviceVariables" -}}
{{- $values := .root.Values -}}
{{ include "outcomes.secretVariable" (dict "name" "DATABASE_URL" "secret" $values.secrets.database "key" .app) }}
{{ include "outcomes.secretVariable" (dict "name" "REDIS_URL" "secret" $values.secrets.redis "key" "url") }}
{{- with $values.secrets.bootstrap }}
{{ include "outcomes.secretVariable" (dict "name" "BOOTSTRAP_CREDENTIALS" "secret" . "key" "credentials") }}
{{- end }}
- { name: DATABASE_POOL_SIZE, value: {{ .settings.databasePoolSize | quote }} }
- { name: REDIS_PREFIX, value: {{ $values.settings.redisPrefix | quote }} }
- { name: KEY_PREFIX, value: {{ $values.settings.keyPrefix | quote }} }
- { name: TRUSTED_PROXIES, value: {{ $values.settings.trustedProxies | quote }} }
- { name: LOG_LEVEL, value: {{ $values.settings.logLevel | quote }} }
- { name: STAGE, value: {{ $values.settings.stage | quote }} }
- { name: REGION, value: {{ $values.settings.region | quote }} }
{{- with $values.tracing.endpoint }}
- { name: TRACES_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- end -}}
