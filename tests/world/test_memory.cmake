# The linker puts functions of the test between the library's own that make room.
foreach(symbol fnd_reserve fnd_reserve_one_more fnd_record_list_reserve fnd_contacts_evaluate fnd_pair_evaluate
        fnd_contact_list_reserve_surfaces fnd_dynamics_reserve fnd_world_reserve_states fnd_world_interpolate)
    target_link_options(${target} PRIVATE -Wl,--wrap=${symbol})
endforeach()
