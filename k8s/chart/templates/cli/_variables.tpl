{{/* Where outreach tools reach ingest-api; empty where no value says it. */}}
{{- define "outcomes.ingestApiPublicUrl" -}}
{{- $hosts := list -}}
{{- with .Values.ingestApi.ingress }}{{ if .enabled }}{{ $hosts = append $hosts .host }}{{ end }}{{ end -}}
{{- with .Values.ingestApi.route }}{{ if .enabled }}{{ $hosts = concat $hosts .hosts }}{{ end }}{{ end -}}
{{- /* A pattern is nobody's name. */ -}}
{{- $url := "" -}}
{{- range $hosts }}{{ if and (not $url) (not (contains "*" .)) }}{{ $url = printf "https://%s" . }}{{ end }}{{ end -}}
{{- .Values.console.publicUrls.ingestApi | default $url -}}
{{- end -}}

{{- define "outcomes.cliVariables" -}}
{{ include "outcomes.firstVariables" . }}
{{ include "outcomes.secretVariable" (dict "name" "DATABASE_URL" "secret" .Values.secrets.database "key" "cli") }}
{{ include "outcomes.secretVariable" (dict "name" "REDIS_URL" "secret" .Values.secrets.redis "key" "url") }}
{{- if .Values.redis.sentinels }}
{{ include "outcomes.secretVariable" (dict "name" "REDIS_SENTINELS" "secret" .Values.secrets.redis "key" "sentinels") }}
{{- end }}
{{- with .Values.database.pooler }}{{ if ne . "none" }}
- { name: DATABASE_POOLER, value: {{ . }} }
{{- end }}{{ end }}
{{- if .Values.database.replica }}
{{ include "outcomes.secretVariable" (dict "name" "DATABASE_REPLICA_URL" "secret" .Values.secrets.database "key" "read-api-replica") }}
{{- end }}
- { name: REDIS_PREFIX, value: {{ include "outcomes.redisPrefix" . | quote }} }
- { name: KEY_PREFIX, value: {{ .Values.settings.keyPrefix | quote }} }
{{- with .Values.secrets.sources }}
{{ include "outcomes.secretVariable" (dict "name" "SOURCE_SECRETS_KEY" "secret" . "key" "key") }}
{{- end }}
- { name: READ_API_URL, value: 'http://{{ include "outcomes.fullname" . }}-read-api/v1' }
- { name: INGEST_API_URL, value: 'http://{{ include "outcomes.fullname" . }}-ingest-api' }
- { name: INGEST_API_PUBLIC_URL, value: {{ include "outcomes.ingestApiPublicUrl" . | quote }} }
- { name: MCP_URL, value: 'http://{{ include "outcomes.fullname" . }}-mcp-gateway/mcp' }
{{- if .Values.console.enabled }}
- { name: CONSOLE_URL, value: {{ .Values.console.origin | quote }} }
{{- end }}
{{- end -}}
