/* Eigenvalues and inverse of symmetric matrices. */
/* items: C012 */
#include "check.h"
#include "math/rotation.h"
#include "random_numbers.h"

static fender_mat3 with_eigenvalues(fender_vec3 e, fender_quaternion q)
{
    fender_mat3 R = fender_quaternion_matrix(q), Rt = fender_mat3_transpose(&R);
    fender_mat3 D = fender_mat3_diagonal(e.x, e.y, e.z), half = fender_mat3_product(&R, &D);
    return fender_mat3_product(&half, &Rt);
}

static void eigenvalues(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        random_stream r = random_of_case(71, n);
        fender_vec3 e = {random_between(&r, -3, 1), 0, 0};
        e.y = e.x + (n % 3 ? random_magnitude(&r, 1e-9, 5) : 0);
        e.z = e.y + (n % 4 ? random_magnitude(&r, 1e-9, 5) : 0);
        fender_mat3 A = with_eigenvalues(e, random_rotation(&r));
        check_vector(fnd_symmetric_eigenvalues(&A), e, 3e-14);
    }
    fender_mat3 D = fender_mat3_diagonal(3, -1, 2);
    check_vector(fnd_symmetric_eigenvalues(&D), fender_vec3_make(-1, 2, 3), 0);
}

static void inverse(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        random_stream r = random_of_case(72, n);
        fender_vec3 e = {random_magnitude(&r, 1e-2, 1), random_magnitude(&r, 1e-2, 1), random_magnitude(&r, 1e-2, 1)};
        fender_mat3 A = with_eigenvalues(e, random_rotation(&r)), B;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++) A.m[i][k] = A.m[k][i];
        assert_true(fnd_symmetric_inverse(&A, &B));
        fender_mat3 one = fender_mat3_product(&A, &B);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                check_near(one.m[i][k], i == k, 1e-13);
                assert_true(B.m[i][k] == B.m[k][i]);
            }
        e.x = -e.x;
        A = with_eigenvalues(e, random_rotation(&r));
        assert_false(fnd_symmetric_inverse(&A, &B));
    }
    fender_mat3 D = fender_mat3_diagonal(3, 7, 0.1), B;
    assert_true(fnd_symmetric_inverse(&D, &B));
    assert_true(B.m[0][0] == 1.0 / 3 && B.m[1][1] == 1.0 / 7 && B.m[2][2] == 1 / 0.1 && B.m[0][1] == 0);
    D.m[1][1] = 0;
    assert_false(fnd_symmetric_inverse(&D, &B));
    D.m[1][1] = NAN;
    assert_false(fnd_symmetric_inverse(&D, &B));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eigenvalues), cmocka_unit_test(inverse)};
    return cmocka_run_group_tests_name("symmetric matrices", tests, NULL, NULL);
}
