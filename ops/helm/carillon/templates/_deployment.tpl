{{/* The Deployment and the disruption budget of one role. Takes root and component: api or worker. */}}
{{- define "carillon.deployment" -}}
{{- $root := .root -}}
{{- $settings := index .root.Values .component -}}
{{- $receives := and (eq .component "api") $root.Values.bounces.enabled -}}
{{- $scaled := and (eq .component "worker") $root.Values.worker.autoscaling.enabled -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "carillon.metadata" . | nindent 2 }}
spec:
  {{- if not $scaled }}
  replicas: {{ $settings.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "carillon.selector" . | nindent 6 }}
  strategy:
    {{- toYaml $settings.strategy | nindent 4 }}
  template:
    metadata:
      labels:
        {{- include "carillon.labels" . | nindent 8 }}
      annotations:
        # A new secret starts new pods. Restart them yourself after a change of an existing Secret.
        checksum/secret: {{ include "carillon.secretData" $root | sha256sum }}
        {{- with $settings.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "carillon.pod" $root | nindent 6 }}
      terminationGracePeriodSeconds: {{ $settings.terminationGracePeriodSeconds }}
      # One node or one zone must not take all pods with it.
      topologySpreadConstraints:
        {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "carillon.selector" $ | nindent 14 }}
        {{- end }}
      {{- with $settings.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $settings.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $settings.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          {{- include "carillon.container" $root | nindent 10 }}
          env:
            - name: ROLE
              value: {{ .component }}
            - name: PORT
              value: "3000"
            {{- if $root.Values.metrics.enabled }}
            - name: METRICS_HOST
              value: 0.0.0.0
            - name: METRICS_PORT
              value: {{ $root.Values.metrics.port | quote }}
            {{- end }}
            {{- if $receives }}
            - name: BOUNCE_HOST
              value: 0.0.0.0
            - name: BOUNCE_PORT
              value: {{ $root.Values.bounces.port | quote }}
            {{- end }}
            {{- include "carillon.env" (dict "root" $root "secret" (include "carillon.fullname" $root)) | nindent 12 }}
            {{- with $root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: http
              containerPort: 3000
            {{- if $root.Values.metrics.enabled }}
            - name: metrics
              containerPort: {{ $root.Values.metrics.port }}
            {{- end }}
            {{- if $receives }}
            - name: bounces
              containerPort: {{ $root.Values.bounces.port }}
            {{- end }}
          # A start may wait for migrations of another process.
          startupProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 2
            timeoutSeconds: 3
            failureThreshold: 150
          # Not /health/ready: a restart does not repair the database.
          livenessProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet:
              path: /health/ready
              port: http
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          {{- if $settings.preStopSeconds }}
          lifecycle:
            preStop:
              exec:
                command: [sleep, {{ $settings.preStopSeconds | quote }}]
          {{- end }}
          resources:
            {{- toYaml $settings.resources | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- with $root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 64Mi
        {{- with $root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- if $settings.disruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "carillon.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ $settings.disruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "carillon.selector" . | nindent 6 }}
{{- end }}
{{- end -}}
