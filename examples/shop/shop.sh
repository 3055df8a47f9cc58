#!/bin/sh
# ./shop.sh signed-up EMAIL NAME        ./shop.sh order-paid EMAIL ORDER TOTAL
set -eu
case $1 in
  signed-up) body='{"options": {"recipients": [{"email": "'$2'", "first_name": "'$3'"}]}}' ;; # creates the user, too
  order-paid) body='{"context": {"order": "'$3'", "total": '$4'}, "options": {"recipients": ["'$2'"]}}' ;;
esac
curl --silent --show-error --fail-with-body \
  "${CARILLON_URL:-http://127.0.0.1:3000}/api/o/acme/p/shop/a/web/e/$1/trigger/" \
  -H "Authorization: Key $CARILLON_KEY" -H 'Content-Type: application/json' -d "$body"
