
# KEY=VALUE behind --set is one word, though `=` divides words for bash.
_airtime_settings() {
    local line="${COMP_LINE:0:COMP_POINT}"
    local word="${line##*[[:space:]]}"
    if [[ "${line%"$word"}" =~ --set[[:space:]]+$ ]]; then
        _airtime "$1" "$word" --set
        # What stands before the last `=` is no part of the word that bash replaces.
        if [[ "$word" == *=* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${word%%=*}"=}")
        elif [[ "${COMPREPLY[*]}" == *= ]]; then
            compopt -o nospace 2>/dev/null
        fi
    else
        _airtime "$@"
    fi
}
complete -F _airtime_settings -o nosort -o bashdefault -o default airtime
