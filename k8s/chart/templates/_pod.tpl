{{/* What is asked of a pod: the values of all pods, and over them those of its own. Arguments: dict "root" $ "settings" its values. */}}
{{- define "outcomes.podOptions" -}}
{{- $own := dict -}}
{{- with .settings }}{{ $own = .pod | default dict }}{{ end -}}
{{- toYaml (mergeOverwrite (deepCopy .root.Values.pods) (deepCopy $own)) -}}
{{- end -}}

{{/* Labels and annotations of a pod: dict "root" $ "app" name "settings" its values. */}}
{{- define "outcomes.podMetadata" -}}
{{- $options := include "outcomes.podOptions" . | fromYaml -}}
labels:
  {{- include "outcomes.labels" . | nindent 2 }}
  {{- with $options.labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $options.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What the restricted profile of pod security asks of a pod and a little more, and where it may run: arguments as above. */}}
{{- define "outcomes.podSpec" -}}
{{- $options := include "outcomes.podOptions" . | fromYaml -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "outcomes.serviceAccount" .root }}
serviceAccountName: {{ . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with $options.securityContext }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with index $options $field }}
{{ $field }}: {{- if kindIs "string" . }} {{ . | quote }}{{ else }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}
{{- end }}
{{- $authorities := include "outcomes.authorities" .root | fromYamlArray }}
{{- $sizeOfFiles := dig "filesSizeLimit" "" (.settings | default dict) }}
{{- if or $authorities $sizeOfFiles $options.extraVolumes }}
volumes:
  {{- if $authorities }}
  - name: authorities
    projected:
      sources:
        {{- range $authorities }}
        - secret: { name: {{ .secret }}, items: [{ key: ca.crt, path: {{ .file }} }] }
        {{- end }}
  {{- end }}
  {{- with $sizeOfFiles }}
  - name: files
    emptyDir: { sizeLimit: {{ . }} }
  {{- end }}
  {{- with $options.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* What containers may do, and which files they see: arguments as above. */}}
{{- define "outcomes.containerSpec" -}}
{{- $options := include "outcomes.podOptions" . | fromYaml -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- $authorities := include "outcomes.authorities" .root | fromYamlArray }}
{{- $sizeOfFiles := dig "filesSizeLimit" "" (.settings | default dict) }}
{{- if $sizeOfFiles }}
workingDir: /files
{{- end }}
{{- if or $authorities $sizeOfFiles $options.extraVolumeMounts }}
volumeMounts:
  {{- if $authorities }}
  - { name: authorities, mountPath: /etc/outcomes/authorities, readOnly: true }
  {{- end }}
  {{- if $sizeOfFiles }}
  - { name: files, mountPath: /files }
  {{- end }}
  {{- with $options.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "outcomes.serviceAccount" -}}
{{- with .Values.serviceAccount }}{{ if .create }}{{ .name | default (include "outcomes.fullname" $) }}{{ else }}{{ .name }}{{ end }}{{ end -}}
{{- end -}}

{{/* Private authorities, as a list of Secrets and the names of their files. */}}
{{- define "outcomes.authorities" -}}
{{- $found := list -}}
{{- with .Values.database.caSecret }}{{ $found = append $found (dict "secret" . "file" "postgres.crt") }}{{ end -}}
{{- with .Values.redis.caSecret }}{{ $found = append $found (dict "secret" . "file" "redis.crt") }}{{ end -}}
{{- toYaml $found -}}
{{- end -}}

{{/* A variable from a Secret that exists already: dict "name" variable "secret" name "key" key. */}}
{{- define "outcomes.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end -}}

{{/* Variables that come first, for others may name them: the namespace, and who is trusted. Argument: $. */}}
{{- define "outcomes.firstVariables" -}}
- name: POD_NAMESPACE
  valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
{{- with include "outcomes.authorities" . | fromYamlArray }}
{{- $files := list }}
{{- range . }}{{ $files = append $files (printf "/etc/outcomes/authorities/%s" .file) }}{{ end }}
- { name: TRUSTED_CA_FILES, value: {{ join "," $files | quote }} }
{{- end }}
{{- end -}}

{{/* Variables that come last: dict "root" $ "settings" its values. */}}
{{- define "outcomes.extraVariables" -}}
{{- $options := include "outcomes.podOptions" . | fromYaml -}}
{{- with $options.extraEnv }}{{ toYaml . }}{{ end }}
{{- end -}}

{{/* Of every Redis key: in braces, so that all keys of a queue are in one slot; each release has its own. */}}
{{- define "outcomes.redisPrefix" -}}
{{ .Values.settings.redisPrefix | default (printf "{$(POD_NAMESPACE).%s}" (include "outcomes.fullname" .)) }}
{{- end -}}

{{/* Proxies that a service believes: dict "root" $ "settings" its values. */}}
{{- define "outcomes.trustedProxies" -}}
{{- $said := .root.Values.settings.trustedProxies -}}
{{- if ne (toString $said) "auto" }}{{ $said }}{{ else if or (dig "ingress" "enabled" false .settings) (dig "route" "enabled" false .settings) }}1{{ else }}0{{ end }}
{{- end -}}

{{/* Variables of every service: dict "root" $ "app" name "settings" its values. */}}
{{- define "outcomes.serviceVariables" -}}
{{- $values := .root.Values -}}
{{ include "outcomes.firstVariables" .root }}
{{ include "outcomes.secretVariable" (dict "name" "DATABASE_URL" "secret" $values.secrets.database "key" .app) }}
{{ include "outcomes.secretVariable" (dict "name" "REDIS_URL" "secret" $values.secrets.redis "key" "url") }}
{{- if $values.redis.sentinels }}
{{ include "outcomes.secretVariable" (dict "name" "REDIS_SENTINELS" "secret" $values.secrets.redis "key" "sentinels") }}
{{- end }}
{{- with $values.secrets.bootstrap }}
{{ include "outcomes.secretVariable" (dict "name" "BOOTSTRAP_CREDENTIALS" "secret" . "key" "credentials") }}
{{- end }}
{{- with $values.database.pooler }}{{ if ne . "none" }}
- { name: DATABASE_POOLER, value: {{ . }} }
{{- end }}{{ end }}
{{- if and $values.database.replica (has .app (list "read-api" "mcp-gateway" "console")) }}
{{ include "outcomes.secretVariable" (dict "name" "DATABASE_REPLICA_URL" "secret" $values.secrets.database "key" (printf "%s-replica" .app)) }}
{{- end }}
- { name: DATABASE_POOL_SIZE, value: {{ .settings.databasePoolSize | quote }} }
- { name: REDIS_PREFIX, value: {{ include "outcomes.redisPrefix" .root | quote }} }
- { name: KEY_PREFIX, value: {{ $values.settings.keyPrefix | quote }} }
- { name: TRUSTED_PROXIES, value: {{ include "outcomes.trustedProxies" . | quote }} }
- { name: LOG_LEVEL, value: {{ $values.settings.logLevel | quote }} }
- { name: STAGE, value: {{ $values.settings.stage | quote }} }
- { name: REGION, value: {{ $values.settings.region | quote }} }
{{- with $values.tracing.endpoint }}
- { name: TRACES_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- end -}}
